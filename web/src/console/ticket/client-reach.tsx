import { Mail, MailX } from 'lucide-react'
import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import styles from './composer.module.css'
import type { Detail } from './thread-types.ts'

type State = Detail['client_email']['state']

const sentences: Record<Exclude<State, 'sent' | 'inactive'>, Key> = {
  answers_only: 'thread.reachAnswersOnly',
  notices_only: 'thread.reachNoticesOnly',
  unsubscribed: 'thread.reachUnsubscribed',
  turned_off: 'thread.reachTurnedOff',
  limit_reached: 'thread.reachLimit',
  bounced: 'thread.reachBounced'
}

interface ClientReachProps {
  detail: Detail
  /** Whether it is shown what reaches whom. */
  isOpen: boolean
  onToggle(): void
}

/** What the client gets by e-mail of an answer, where that is not simply the answer. */
export function ClientReach({ detail, isOpen, onToggle }: ClientReachProps) {
  const text = reachText(detail)
  if (text === '') return null
  const { state } = detail.client_email
  const getsAnswer = (state === 'sent' || state === 'answers_only') && detail.reach.is_blocked === 0
  const Shown = getsAnswer ? Mail : MailX
  return (
    <p className={getsAnswer ? styles.reach : `${styles.reach} ${styles.reason}`}>
      <Shown size={14} aria-hidden />
      <span className={styles.reachText} id="composer-reach">
        {text}
      </span>
      <Button size="sm" variant="quiet" aria-expanded={isOpen} onClick={onToggle}>
        {t('thread.whatReaches')}
      </Button>
    </p>
  )
}

/** The same in a sentence; '' if it is simply the answer. */
export function reachText({ ticket, client_access, client_email, reach }: Detail): string {
  const { state, email, reason, reason_code, rating_emails } = client_email
  const isNowhere = reach.will_reach === 0 && client_access.is_withheld === 1
  if (state === 'inactive' || isNowhere || reach.is_blocked === 1) return reach.text
  const name = ticket.client.first_name
  if (state === 'sent') return rating_emails === 1 ? '' : t('thread.reachNoRatings', { name })
  return t(sentences[state], { name, email, reason: deliveryReasonText(reason_code, reason) })
}
