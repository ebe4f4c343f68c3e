import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { RightsGrid } from '../../../app/account/rights-grid.tsx'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { DepartmentChecks } from '../../../app/department-checks.tsx'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import type { Permission } from '../../../app/me.ts'
import { t } from '../../../lib/strings.ts'
import { TextField } from '../../../ui/field.tsx'
import { allRights } from '../all-rights.ts'
import tables from '../tables.module.css'
import styles from './api-access.module.css'

export type ServiceAccount = DataOf<'/api/admin/service-accounts/list'>['service_accounts'][number]

interface ServiceAccountDialogProps {
  onSaved: () => Promise<unknown>
  onClose: () => void
}

/** The name of a service account, what it is for, and what it may. */
export function ServiceAccountDialog({ onSaved, onClose }: ServiceAccountDialogProps) {
  const form = useForm({ name: '', purpose: '' })
  const [chosen, setChosen] = useState<readonly Permission[]>([])

  const departments = useApiQuery('/api/departments', {}).data?.departments ?? []
  const [places, setPlaces] = useState<readonly number[]>([])

  async function save({ name, purpose }: typeof form.values) {
    await post('/api/admin/service-accounts/create', {
      name,
      purpose: purpose.trim() || null,
      permissions: [...chosen],
      departments: places.length > 0 ? [...places] : null
    })
    await onSaved()
  }

  return (
    <FormDialog
      title={t('admin.api.add')}
      form={form}
      isChanged={chosen.length > 0 || places.length > 0}
      saveLabel={t('admin.api.add')}
      keepLabel={t('admin.discard')}
      onSave={save}
      onClose={onClose}
      size={620}
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
        <RightsGrid rights={allRights()} chosen={chosen} onChange={setChosen} />
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
