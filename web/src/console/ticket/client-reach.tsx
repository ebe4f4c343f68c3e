import { Mail, MailX } from 'lucide-react'
import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import styles from './composer.module.css'
import type { Detail } from './thread-types.ts'

type State = Detail['client_email']['state']

const sentences: Record<Exclude<State, 'sent'>, Key> = {
  answers_only: 'thread.reachAnswersOnly',
  notices_only: 'thread.reachNoticesOnly',
  unsubscribed: 'thread.reachUnsubscribed',
  turned_off: 'thread.reachTurnedOff',
  limit_reached: 'thread.reachLimit',
  inactive: 'thread.reachInactive',
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
  const { state } = detail.client_email
  if (state === 'sent') return null
  const getsAnswer = state === 'answers_only'
  const Shown = getsAnswer ? Mail : MailX
  return (
    <p className={getsAnswer ? styles.reach : `${styles.reach} ${styles.reason}`}>
      <Shown size={14} aria-hidden />
      <span className={styles.reachText} id="composer-reach">
        {reachText(detail)}
      </span>
      <Button size="sm" variant="quiet" aria-expanded={isOpen} onClick={onToggle}>
        {t('thread.whatReaches')}
      </Button>
    </p>
  )
}

/** The same in a sentence; '' if it is simply the answer. */
export function reachText({ ticket, client_email }: Detail): string {
  const { state, email, reason, reason_code } = client_email
  if (state === 'sent') return ''
  const name = ticket.client.first_name
  return t(sentences[state], { name, email, reason: deliveryReasonText(reason_code, reason) })
}
