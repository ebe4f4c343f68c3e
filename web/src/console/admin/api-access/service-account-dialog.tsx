import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { type Permission, permissions } from '../../../app/me.ts'
import { t } from '../../../lib/strings.ts'
import { TextField } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'

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

  async function save({ name, purpose }: typeof form.values) {
    const body = { name, purpose: purpose.trim() || null, permissions: [...chosen] }
    if (account) await post('/api/admin/service-accounts/update', { id: account.id, ...body })
    else await post('/api/admin/service-accounts/create', body)
    await onSaved()
  }

  return (
    <FormDialog
      title={account ? account.name : t('admin.api.add')}
      form={form}
      isChanged={chosen.join() !== granted.join()}
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
      {permissions.map(slug => (
        <Checkbox
          key={slug}
          label={t(`admin.permission.${slug}`)}
          checked={chosen.includes(slug)}
          onChange={isOn => setChosen(permissions.filter(each => (each === slug ? isOn : chosen.includes(each))))}
        />
      ))}
    </FormDialog>
  )
}
