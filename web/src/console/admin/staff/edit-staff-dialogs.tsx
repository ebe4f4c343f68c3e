import { type FormEvent, useId } from 'react'
import { desk } from '../../../app/desk.ts'
import { useForm } from '../../../app/form.ts'
import { refresh } from '../../../app/refresh.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import forms from '../forms.module.css'
import type { StaffMember } from '../people.ts'

interface DialogProps {
  member: StaffMember
  onClose: () => void
}

export function EditStaffDialog({ member, onClose }: DialogProps) {
  const formId = useId()
  const { id, first_name, last_name, phone_number } = member
  const form = useForm({ first_name, last_name, phone_number: phone_number ?? '' })

  async function save(event: FormEvent) {
    const isSaved = await form.submit(async values => {
      const phone = values.phone_number.trim() ? { phone_number: values.phone_number } : {}
      const { first_name, last_name } = values
      await desk.POST('/api/admin/staff/update', { body: { id, first_name, last_name, ...phone } })
      await refresh('/api/admin/staff/detail', '/api/admin/staff/list')
    }, event)
    if (!isSaved) return
    announce(t('admin.saved'))
    onClose()
  }

  return (
    <Dialog
      title={t('admin.editNamed', { name: nameOf(member) })}
      open
      onClose={onClose}
      guarded={form.isChanged}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('admin.discard')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={form.isBusy} busyLabel={t('admin.saving')}>
            {t('admin.save')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} className={forms.form} noValidate>
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
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      </form>
    </Dialog>
  )
}

/** Sets a password for a colleague who has lost theirs. Their sessions end. */
export function ResetPasswordDialog({ member, onClose }: DialogProps) {
  const formId = useId()
  const form = useForm({ password: '' }, { problems: { password: t('account.passwordRefused') } })

  async function reset(event: FormEvent) {
    const isReset = await form.submit(
      ({ password }) => desk.POST('/api/admin/staff/update', { body: { id: member.id, password } }),
      event
    )
    if (!isReset) return
    announce(t('admin.passwordReset'))
    onClose()
  }

  return (
    <Dialog
      title={t('admin.resetPasswordOf', { name: nameOf(member) })}
      open
      onClose={onClose}
      size={400}
      guarded={form.isChanged}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('admin.keepPassword')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={form.isBusy} busyLabel={t('admin.saving')}>
            {t('admin.setPassword')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={reset} className={forms.form} noValidate>
        <p>{t('admin.resetPasswordMeans', { name: member.first_name })}</p>
        <PasswordField
          label={t('admin.newPassword')}
          hint={t('admin.firstPasswordHint')}
          autoComplete="new-password"
          {...form.field('password')}
        />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      </form>
    </Dialog>
  )
}
