import { post } from '../../app/api-client.ts'
import { t } from '../../lib/strings.ts'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { mailLogFailureText } from './logged-mail.ts'

interface SendAgainDialogProps {
  /** The row of the log. */
  id: number
  /** To whom it goes. */
  address: string
  /** Called with the row of the new e-mail. */
  onSent: (sentId: number) => void
  onClose: () => void
}

/** Sends an e-mail again as a new one, once it is confirmed. */
export function SendAgainDialog({ id, address, onSent, onClose }: SendAgainDialogProps) {
  async function send() {
    const { sent_id } = await post('/api/admin/mail/log/send', { id })
    onClose()
    onSent(sent_id)
  }

  return (
    <AsyncConfirmDialog
      title={t('mail.sendTitle')}
      text={t('mail.sendMeans', { address })}
      confirmLabel={t('mail.sendAgain')}
      keepLabel={t('mail.keep')}
      isHarmless
      failureText={mailLogFailureText}
      onConfirm={send}
      onClose={onClose}
    />
  )
}
