import { type FormEvent, useId } from 'react'
import { desk } from '../../../app/desk.ts'
import { useForm } from '../../../app/form.ts'
import { t } from '../../../lib/strings.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import forms from '../forms.module.css'

/** Invites a customer who is the admin in truth: it shows whether e-mails arrive. */
export function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const formId = useId()
  const form = useForm(
    { first_name: '', last_name: '', email: '' },
    { problems: { email: t('admin.emailUnfit') }, reasons: { email_in_use: { email: t('admin.clientEmailInUse') } } }
  )

  async function invite(event: FormEvent) {
    const done = await form.submit(body => desk.POST('/api/admin/clients/create', { body }), event)
    if (!done) return
    toast({ text: t('admin.invited', { email: form.values.email }) })
    onInvited()
    onClose()
  }

  return (
    <Dialog
      title={t('admin.stepCustomer')}
      open
      onClose={onClose}
      guarded={form.isChanged}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('admin.discard')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={form.isBusy}>
            {t('admin.inviteCustomer')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={invite} className={forms.form} noValidate>
        <p>{t('admin.inviteText')}</p>
        <div className={forms.two}>
          <TextField label={t('admin.firstName')} autoComplete="off" {...form.field('first_name')} />
          <TextField label={t('admin.lastName')} autoComplete="off" {...form.field('last_name')} />
        </div>
        <TextField label={t('admin.email')} type="email" autoComplete="off" {...form.field('email')} />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      </form>
    </Dialog>
  )
}
