import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { t } from '../../lib/strings.ts'
import styles from './message-email.module.css'
import type { Message } from './thread-types.ts'

/** The delivery of the e-mails of an answer: unobtrusive while they are on their way, prominent if one bounced. */
export function MessageDeliveries({ message: { deliveries } }: { message: Message }) {
  if (!deliveries?.length) return null
  const bounced = deliveries.filter(({ state }) => state === 'bounced')
  const rest = deliveries.length - bounced.length
  const late = deliveries.some(({ state }) => state === 'queued' || state === 'delayed')
  const arrived = deliveries.every(({ state }) => state === 'delivered')
  return (
    <>
      {bounced.map(({ email, reason, reason_code, is_stopped }) => (
        <p key={email} className={styles.bounced}>
          {t('thread.notDeliveredTo', { email, reason: deliveryReasonText(reason_code, reason) })}
          {is_stopped === 1 && <span>{t('thread.addressStopped')}</span>}
        </p>
      ))}
      {rest > 0 && (
        <p className={styles.facts}>
          {t(late ? 'thread.mailSending' : arrived ? 'thread.delivered' : 'thread.sentByEmail')}
        </p>
      )}
    </>
  )
}
