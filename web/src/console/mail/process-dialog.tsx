import type { DataOf } from '@deskline/client'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { type LoggedMailDetails, mailLogFailureText, shortReason } from '../mail-log/logged-mail.ts'
import { reloadMailLog } from '../mail-log/reload-mail-log.ts'
import { useNavigate } from '../navigation.ts'

interface ProcessDialogProps {
  mail: LoggedMailDetails
  onClose: () => void
}

/** Says what would become of the e-mail now, and processes it again. */
export function ProcessDialog({ mail: { id }, onClose }: ProcessDialogProps) {
  const navigate = useNavigate()
  const trial = useApiQuery(
    '/api/admin/mail/log/process',
    { id, dry_run: 1 },
    { retry: false, staleTime: 0, gcTime: 0, refetchOnWindowFocus: false }
  )
  if (trial.error || trial.data?.is_settled === 1)
    return (
      <Dialog
        title={t('mail.processAgain')}
        open
        onClose={onClose}
        footer={<Button onClick={onClose}>{t('mail.keep')}</Button>}
      >
        <p>
          {trial.error
            ? mailLogFailureText(trial.error)
            : t('mail.isTicketAlready', { number: trial.data?.ticket_number ?? '' })}
        </p>
      </Dialog>
    )

  async function process() {
    const { outcome, ticket_number: number } = await post('/api/admin/mail/log/process', { id })
    onClose()
    toast({
      text: t('mail.processed', { outcome: t(`mail.outcome.${outcome}`) }),
      ...(number !== null && {
        action: {
          label: t('mail.show'),
          onClick: () => void navigate({ to: '/$view/$ticket', params: { view: 'all', ticket: number } })
        }
      })
    })
    await reloadMailLog()
  }

  return (
    <AsyncConfirmDialog
      title={t('mail.processTitle')}
      text={
        <>
          {t('mail.processLede')} <b role="status">{trial.data ? wouldBe(trial.data) : t('mail.trying')}</b>
        </>
      }
      confirmLabel={t('mail.processAgain')}
      keepLabel={t('mail.keep')}
      isHarmless
      failureText={mailLogFailureText}
      onConfirm={process}
      onClose={onClose}
    />
  )
}

function wouldBe({ outcome, reason, ticket_number }: DataOf<'/api/admin/mail/log/process'>): string {
  if (outcome === 'reply' && ticket_number) return t('mail.wouldBeIn', { number: ticket_number })
  if (outcome === 'ticket') return t('mail.wouldBeTicket')
  const word = t(`mail.outcome.${outcome}`)
  const why = shortReason(reason)
  return why ? t('mail.wouldBeReason', { outcome: word, reason: why }) : t('mail.wouldBe', { outcome: word })
}
