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
import { useNavigate } from '../../router/react.tsx'
import forms from '../forms.module.css'

/** What a new supporter may do until somebody says otherwise: read, reply, change the status. */
const usual = ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'clients.view'] as const

/** A new colleague, with a first password that is told in person. What they may do is chosen on their page, which opens. */
export function AddSupporterDialog({ onClose, onAdded }: { onClose: () => void; onAdded?: () => void }) {
  const navigate = useNavigate()
  const formId = useId()
  const form = useForm(
    { first_name: '', last_name: '', email: '', phone_number: '', password: '' },
    {
      problems: { email: t('admin.emailUnfit'), password: t('account.passwordRefused') },
      reasons: { staff_email_in_use: { email: t('admin.staffEmailInUse') } }
    }
  )

  async function add(event: FormEvent) {
    let id: number | undefined
    const isAdded = await form.submit(async ({ phone_number, ...person }) => {
      const phone = phone_number.trim() ? { phone_number } : {}
      const body = { ...person, ...phone, permissions: [...usual] }
      id = (await desk.POST('/api/admin/staff/create', { body })).data.user_id
    }, event)
    if (!isAdded) return
    announce(t('admin.supporterAdded', { name: nameOf(form.values) }))
    void refresh('/api/admin/staff/list')
    onClose()
    if (onAdded) onAdded()
    else await navigate({ to: '/staff/$staffId', params: { staffId: String(id) } })
  }

  return (
    <Dialog
      title={t('admin.addSupporter')}
      open
      onClose={onClose}
      guarded={form.isChanged}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('admin.discard')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={form.isBusy} busyLabel={t('admin.adding')}>
            {t('admin.addSupporter')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={add} className={forms.form} noValidate>
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
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      </form>
    </Dialog>
  )
}
