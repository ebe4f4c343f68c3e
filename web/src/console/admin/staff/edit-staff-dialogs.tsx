import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import forms from '../forms.module.css'
import type { StaffMember } from '../staff-members.ts'

interface DialogProps {
  member: StaffMember
  onClose: () => void
}

export function EditStaffDialog({ member, onClose }: DialogProps) {
  const { id, first_name, last_name, phone_number } = member
  const form = useForm({ first_name, last_name, phone_number: phone_number ?? '' })

  async function save({ first_name, last_name, phone_number }: typeof form.values) {
    const phone = phone_number.trim() ? { phone_number } : {}
    await post('/api/admin/staff/update', { id, first_name, last_name, ...phone })
    await reloadQueries('/api/admin/staff/detail', '/api/admin/staff/list')
    announce(t('admin.saved'))
  }

  return (
    <FormDialog
      title={t('admin.editNamed', { name: nameOf(member) })}
      form={form}
      saveLabel={t('admin.save')}
      busyLabel={t('admin.saving')}
      keepLabel={t('admin.discard')}
      onSave={save}
      onClose={onClose}
    >
      <div className={forms.two}>
        <TextField label={t('admin.firstName')} autoComplete="off" {...form.field('first_name')} />
        <TextField label={t('admin.lastName')} autoComplete="off" {...form.field('last_name')} />
      </div>
      <TextField
        label={t('admin.phone')}
        type="tel"
        optional={!phone_number}
        autoComplete="off"
        {...form.field('phone_number')}
      />
      <TextField label={t('admin.email')} value={member.email} disabledReason={t('admin.emailStays')} />
    </FormDialog>
  )
}

/** Sets a password for a colleague who has lost theirs. Their sessions end. */
export function ResetPasswordDialog({ member, onClose }: DialogProps) {
  const form = useForm({ password: '' }, { problems: { password: t('account.passwordRefused') } })

  async function reset({ password }: typeof form.values) {
    await post('/api/admin/staff/update', { id: member.id, password })
    announce(t('admin.passwordReset'))
  }

  return (
    <FormDialog
      title={t('admin.resetPasswordOf', { name: nameOf(member) })}
      form={form}
      saveLabel={t('admin.setPassword')}
      busyLabel={t('admin.saving')}
      keepLabel={t('admin.keepPassword')}
      onSave={reset}
      onClose={onClose}
    >
      <p>{t('admin.resetPasswordMeans', { name: member.first_name })}</p>
      <PasswordField
        label={t('admin.newPassword')}
        hint={t('admin.firstPasswordHint')}
        autoComplete="new-password"
        {...form.field('password')}
      />
    </FormDialog>
  )
}
