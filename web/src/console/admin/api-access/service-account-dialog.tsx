import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { DepartmentChecks } from '../../../app/department-checks.tsx'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { type Permission, permissions } from '../../../app/me.ts'
import { t } from '../../../lib/strings.ts'
import { TextField } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import tables from '../tables.module.css'
import styles from './api-access.module.css'

export type ServiceAccount = DataOf<'/api/admin/service-accounts/list'>['service_accounts'][number]

interface ServiceAccountDialogProps {
  /** Undefined: a new one. */
  account?: ServiceAccount
  onSaved: () => Promise<unknown>
  onClose: () => void
}

/** The name of a service account, what it is for, and what it may. */
export function ServiceAccountDialog({ account, onSaved, onClose }: ServiceAccountDialogProps) {
  const form = useForm({ name: account?.name ?? '', purpose: account?.purpose ?? '' })
  const granted = permissions.filter(slug => account?.permissions.includes(slug))
  const [chosen, setChosen] = useState<readonly Permission[]>(granted)

  const departments = useApiQuery('/api/departments', {}).data?.departments ?? []
  const limitedTo = account?.departments?.map(({ deptid }) => deptid) ?? []
  const [places, setPlaces] = useState<readonly number[]>(limitedTo)

  async function save({ name, purpose }: typeof form.values) {
    const body = {
      name,
      purpose: purpose.trim() || null,
      permissions: [...chosen],
      departments: places.length > 0 ? [...places] : null
    }
    if (account) await post('/api/admin/service-accounts/update', { id: account.id, ...body })
    else await post('/api/admin/service-accounts/create', body)
    await onSaved()
  }

  return (
    <FormDialog
      title={account ? account.name : t('admin.api.add')}
      form={form}
      isChanged={chosen.join() !== granted.join() || places.join() !== limitedTo.join()}
      saveLabel={account ? t('admin.save') : t('admin.api.add')}
      keepLabel={t('admin.discard')}
      onSave={save}
      onClose={onClose}
    >
      <TextField label={t('admin.api.name')} maxLength={100} autoComplete="off" {...form.field('name')} />
      <TextField
        label={t('admin.api.purpose')}
        maxLength={255}
        optional
        autoComplete="off"
        {...form.field('purpose')}
      />
      <fieldset className={styles.choices}>
        <legend>{t('admin.api.rights')}</legend>
        {permissions.map(slug => (
          <Checkbox
            key={slug}
            label={t(`admin.permission.${slug}`)}
            checked={chosen.includes(slug)}
            onChange={isOn => setChosen(permissions.filter(each => (each === slug ? isOn : chosen.includes(each))))}
          />
        ))}
      </fieldset>
      {departments.length > 1 && (
        <fieldset className={styles.choices}>
          <legend>{t('admin.api.departments')}</legend>
          <p className={tables.hint}>{t('admin.api.departmentsHint')}</p>
          <DepartmentChecks departments={departments} chosen={places} onChange={setPlaces} />
        </fieldset>
      )}
    </FormDialog>
  )
}
