import { MailWarning } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { instantOf, timeInText } from '../../lib/times.ts'
import { isSame } from './chosen-recipients.ts'
import styles from './composer.module.css'
import { usePossibleRecipients } from './possible-recipients.ts'

/** Before one writes: the address from which the reply would leave cannot send now. `from`: the chosen one. */
export function CannotSend({ ticketId, from }: { ticketId: number; from: string | undefined }) {
  const senders = usePossibleRecipients(ticketId)?.senders ?? []
  const sender = senders.find(({ address, is_usual }) => (from ? isSame(address, from) : is_usual === 1))
  if (!sender?.failing_since) return null
  return (
    <p className={`${styles.reach} ${styles.reason}`} role="status">
      <MailWarning size={14} aria-hidden />
      <span className={styles.reachText}>
        {t('thread.cannotSend', { address: sender.address, time: timeInText(instantOf(sender.failing_since)) })}
      </span>
    </p>
  )
}
