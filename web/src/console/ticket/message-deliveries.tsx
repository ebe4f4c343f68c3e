import { Suspense } from 'react'
import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { t } from '../../lib/strings.ts'
import { BouncedActions } from './lazy-bounced.ts'
import styles from './message-email.module.css'
import type { Message } from './thread-types.ts'

/** The delivery of the e-mails of an answer: unobtrusive while they are on their way, prominent if one bounced, until somebody says that it is known. */
export function MessageDeliveries({ message }: { message: Message }) {
  const { deliveries, ticket_number: number } = message
  if (!deliveries?.length) return null
  const bounced = deliveries.filter(({ state }) => state === 'bounced')
  const unknown = bounced.filter(({ is_dismissed }) => is_dismissed === 0)
  const rest = deliveries.length - bounced.length
  const late = deliveries.some(({ state }) => state === 'queued' || state === 'delayed')
  const arrived = deliveries.every(({ state }) => state === 'delivered')
  return (
    <>
      {bounced.map(({ email, reason, reason_code, is_stopped, is_dismissed }) => (
        <p key={email} className={is_dismissed === 1 ? styles.facts : styles.bounced}>
          {t('thread.notDeliveredTo', { email, reason: deliveryReasonText(reason_code, reason) })}
          {is_stopped === 1 && <span>{t('thread.addressStopped')}</span>}
        </p>
      ))}
      {unknown.length > 0 && (
        <Suspense>
          <BouncedActions number={number} bounced={unknown} />
        </Suspense>
      )}
      {rest > 0 && (
        <p className={styles.facts}>
          {t(late ? 'thread.mailSending' : arrived ? 'thread.delivered' : 'thread.sentByEmail')}
        </p>
      )}
    </>
  )
}
