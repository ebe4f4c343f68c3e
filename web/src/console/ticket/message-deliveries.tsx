import { post } from '../../app/api-client.ts'
import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { failureText } from '../../app/failures.ts'
import { can } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './message-email.module.css'
import type { Message } from './thread-types.ts'
import { reloadDetail } from './ticket-cache.ts'

/** The delivery of the e-mails of an answer: unobtrusive while they are on their way, prominent if one bounced, until somebody says that it is known. */
export function MessageDeliveries({ message }: { message: Message }) {
  const { deliveries, ticket_number: number } = message
  if (!deliveries?.length) return null
  const bounced = deliveries.filter(({ state }) => state === 'bounced')
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
      {bounced.some(({ is_dismissed }) => is_dismissed === 0) && can('tickets.reply') && (
        <Button size="sm" variant="quiet" className={styles.dismiss!} onClick={() => void dismiss(number)}>
          {t('thread.dismissBounced')}
        </Button>
      )}
      {rest > 0 && (
        <p className={styles.facts}>
          {t(late ? 'thread.mailSending' : arrived ? 'thread.delivered' : 'thread.sentByEmail')}
        </p>
      )}
    </>
  )
}

/** The queue tells of it no more, the thread in quiet words. */
async function dismiss(number: string): Promise<void> {
  try {
    await post('/api/admin/tickets/undelivered/dismiss', { id: number })
    announce(t('thread.dismissed'))
    void reloadDetail(number)
    void reloadQueries('/api/admin/tickets/list')
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}
