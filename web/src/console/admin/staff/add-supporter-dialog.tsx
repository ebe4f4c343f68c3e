import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { useNavigate } from '../../navigation.ts'
import forms from '../forms.module.css'

/** The default permissions of a new supporter. */
const usual = ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'clients.view'] as const

/** Adds a supporter with an initial password, then opens their page, where the permissions are chosen. */
export function AddSupporterDialog({ onClose, onAdded }: { onClose: () => void; onAdded?: () => void }) {
  const navigate = useNavigate()
  const form = useForm(
    { first_name: '', last_name: '', email: '', phone_number: '', password: '' },
    {
      problems: { email: t('admin.emailUnfit'), password: t('account.passwordRefused') },
      reasons: { staff_email_in_use: { email: t('admin.staffEmailInUse') } }
    }
  )

  async function add({ phone_number, ...person }: typeof form.values) {
    const phone = phone_number.trim() ? { phone_number } : {}
    const body = { ...person, ...phone, permissions: [...usual] }
    const { user_id } = await post('/api/admin/staff/create', body)
    announce(t('admin.supporterAdded', { name: nameOf(person) }))
    void reloadQueries('/api/admin/staff/list')
    if (onAdded) onAdded()
    else void navigate({ to: '/staff/$staffId', params: { staffId: String(user_id) } })
  }

  return (
    <FormDialog
      title={t('admin.addSupporter')}
      form={form}
      saveLabel={t('admin.addSupporter')}
      busyLabel={t('admin.adding')}
      keepLabel={t('admin.discard')}
      onSave={add}
      onClose={onClose}
    >
      <div className={forms.two}>
        <TextField label={t('admin.firstName')} autoComplete="off" {...form.field('first_name')} />
        <TextField label={t('admin.lastName')} autoComplete="off" {...form.field('last_name')} />
      </div>
      <TextField label={t('admin.email')} type="email" autoComplete="off" {...form.field('email')} />
      <TextField label={t('admin.phone')} type="tel" optional autoComplete="off" {...form.field('phone_number')} />
      <PasswordField
        label={t('admin.firstPassword')}
        hint={t('admin.firstPasswordHint')}
        autoComplete="new-password"
        {...form.field('password')}
      />
    </FormDialog>
  )
}
