import { post } from '../../app/api-client.ts'
import { t } from '../../lib/strings.ts'
import { toast } from '../../ui/toast.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { type LoggedMailDetails, mailLogFailureText } from '../mail-log/logged-mail.ts'
import { useNavigate } from '../navigation.ts'
import { reloadMailLog } from './reload-mail-log.ts'

interface SendAgainDialogProps {
  mail: LoggedMailDetails
  onClose: () => void
}

/** Sends an e-mail again as a new one, once it is confirmed. */
export function SendAgainDialog({ mail: { id, to }, onClose }: SendAgainDialogProps) {
  const navigate = useNavigate()

  async function send() {
    const { sent_id } = await post('/api/admin/mail/log/send', { id })
    onClose()
    toast({
      text: t('mail.sentAgain'),
      action: {
        label: t('mail.show'),
        onClick: () => void navigate({ to: '/mail/log/$mailId', params: { mailId: String(sent_id) } })
      }
    })
    await reloadMailLog()
  }

  return (
    <AsyncConfirmDialog
      title={t('mail.sendTitle')}
      text={t('mail.sendMeans', { address: to.join(', ') })}
      confirmLabel={t('mail.sendAgain')}
      keepLabel={t('mail.keep')}
      isHarmless
      failureText={mailLogFailureText}
      onConfirm={send}
      onClose={onClose}
    />
  )
}
