import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { can } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { TextField } from '../../ui/field.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { mailLogFailureText } from './logged-mail.ts'

interface OtherAddressDialogProps {
  /** The row of the log. */
  id: number
  /** The client whose address it went to. */
  client: { id: number; name: string } | undefined
  /** Called with the row of the new e-mail. */
  onSent: (sentId: number) => void
  onClose: () => void
}

/** Sends an e-mail as a new one to another address, and changes that of the client if wanted. */
export function OtherAddressDialog({ id, client, onSent, onClose }: OtherAddressDialogProps) {
  const form = useForm(
    { to: '' },
    {
      check: ({ to }) => ({ to: to.trim() === '' && t('ui.fieldMissing') }),
      problems: { to: t('mail.otherUnfit') },
      reasons: { email_taken: { to: t('mail.otherTaken') } },
      failureText: mailLogFailureText
    }
  )
  const [changes, setChanges] = useState(false)

  async function send({ to }: { to: string }) {
    if (client && changes) await post('/api/admin/clients/update', { id: client.id, email: to })
    onSent((await post('/api/admin/mail/log/send', { id, to })).sent_id)
  }

  return (
    <FormDialog
      title={t('mail.otherTitle')}
      form={form}
      saveLabel={t('mail.otherSend')}
      keepLabel={t('mail.keep')}
      onSave={send}
      onClose={onClose}
    >
      <p>{t('mail.otherLede')}</p>
      <TextField
        label={t('mail.otherAddress')}
        type="email"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...form.field('to')}
      />
      {client && can('clients.edit') && (
        <Checkbox label={t('mail.otherChanges', { name: client.name })} checked={changes} onChange={setChanges} />
      )}
    </FormDialog>
  )
}
