import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { t } from '../../../lib/strings.ts'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import forms from '../forms.module.css'

/** Invites the admin's own address as a customer, which shows whether e-mails arrive. */
export function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const form = useForm(
    { first_name: '', last_name: '', email: '' },
    { problems: { email: t('admin.emailUnfit') }, reasons: { email_taken: { email: t('admin.clientEmailInUse') } } }
  )

  async function invite(body: typeof form.values) {
    await post('/api/admin/clients/create', body)
    toast({ text: t('admin.invited', { email: body.email }) })
    onInvited()
  }

  return (
    <FormDialog
      title={t('admin.stepCustomer')}
      form={form}
      saveLabel={t('admin.inviteCustomer')}
      keepLabel={t('admin.discard')}
      onSave={invite}
      onClose={onClose}
    >
      <p>{t('admin.inviteText')}</p>
      <div className={forms.two}>
        <TextField label={t('admin.firstName')} autoComplete="off" {...form.field('first_name')} />
        <TextField label={t('admin.lastName')} autoComplete="off" {...form.field('last_name')} />
      </div>
      <TextField label={t('admin.email')} type="email" autoComplete="off" {...form.field('email')} />
    </FormDialog>
  )
}
