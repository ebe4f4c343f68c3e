import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import type { DeliveryState } from '../../mail/outbox/delivery-state.ts'
import { deliveryReasonOf, deliveryTimedOut } from '../../platform/mail-reading/bounce-reasons.ts'
import type { DeliveryView } from '../ticket/desk-schemas.ts'

interface Undelivered {
  email: string
  reason: string
  is_permanent: 0 | 1
}

/** The newest delivery of a message's e-mails to each recipient, and the recipients whom it did not reach. */
interface Deliveries {
  deliveries: Static<typeof DeliveryView>[]
  undelivered: Undelivered[]
}

/** The deliveries of these messages by message id; messages without e-mails are missing. */
export async function deliveriesOf(
  db: Db,
  messages: readonly { id: number; ticket_id: number }[]
): Promise<Map<number, Deliveries>> {
  if (messages.length === 0) return new Map()
  const tickets = [...new Set(messages.map(({ ticket_id }) => ticket_id))]
  const sent = await sentOf(db, { tickets, messages: messages.map(({ id }) => id) })
  return new Map(
    [...Map.groupBy(sent, ({ message_id }) => message_id)].map(([id, emails]) => [
      id,
      {
        deliveries: emails.filter(({ is_told }) => is_told).map(deliveryView),
        undelivered: emails
          .filter(({ state }) => state === 'bounced')
          .map(({ email, reason, status }) => ({
            email,
            reason: reason ?? 'not delivered',
            is_permanent: bit(!status?.startsWith('4'))
          }))
      }
    ])
  )
}

interface Sent {
  email: string
  state: DeliveryState
  status: string | null
  reason: string | null
  is_stopped: boolean
  is_dismissed: boolean
  log_id: number | null
  at: Date
}

/** The delivery of an e-mail, for responses. */
export function deliveryView({
  email,
  state,
  status,
  reason,
  is_stopped,
  is_dismissed,
  log_id,
  at
}: Sent): Static<typeof DeliveryView> {
  const reason_code = reason === null ? null : deliveryReasonOf(status, reason)
  return {
    email,
    state,
    reason,
    reason_code,
    is_stopped: bit(is_stopped),
    is_dismissed: bit(is_dismissed),
    log_id,
    at: timestamp(at)
  }
}

// The outbox keeps rows for thirty days: older deliveries are known to be finished.
const state = sql<DeliveryState>`case
  when sent.bounced_at is not null or queued.state = 'failed' then 'bounced'
  when queued.state = 'queued' then case when queued.last_answer is null then 'queued' else 'delayed' end
  when sent.delivered_at is not null then 'delivered'
  when sent.delayed_at is not null then 'delayed'
  else 'sent' end`

/** E-mails that were sent, as `sent`, and how their delivery went. */
export function sentDeliveries(db: Db) {
  return db
    .selectFrom('sent_emails as sent')
    .leftJoin('outbox_messages as queued', 'queued.id', 'sent.outbox_message_id')
    .leftJoin('undeliverable_addresses as address', join =>
      join.on(sql`lower(address.email)`, '=', sql`lower(sent.recipient)`).on('address.is_permanent', '=', sql.lit(true))
    )
    .leftJoin('mail_log as logged', 'logged.outbox_message_id', 'sent.outbox_message_id')
    .select(['sent.recipient as email', 'sent.bounce_status as status', state.as('state'), 'logged.id as log_id'])
    .select([
      sql<string | null>`case when sent.bounced_at is not null then sent.bounce_reason
        when queued.state = 'failed' then ${sql.lit(deliveryTimedOut)}
        when queued.state = 'queued' then queued.last_answer end`.as('reason'),
      sql<boolean>`address.email is not null`.as('is_stopped'),
      sql<boolean>`sent.dismissed_at is not null and sent.dismissed_at >= sent.bounced_at`.as('is_dismissed'),
      sql<Date>`coalesce(sent.bounced_at, sent.delivered_at, sent.delayed_at, queued.settled_at, sent.created_at)`.as(
        'at'
      )
    ])
}

const sentOf = prepared((db, p: { tickets: readonly number[]; messages: readonly number[] }) =>
  sentDeliveries(db)
    .innerJoinLateral(sql<{ message_id: number }>`unnest(sent.message_ids)`.as<'told'>(sql`told(message_id)`), join =>
      join.onTrue()
    )
    .where('sent.ticket_id', '=', sql<number>`any(${p.tickets}::bigint[])`)
    .where('told.message_id', '=', sql<number>`any(${p.messages}::bigint[])`)
    .distinctOn([sql`told.message_id`, sql`lower(sent.recipient)`])
    .select('told.message_id')
    .select(
      sql<boolean>`sent.kind in ('client-ticket', 'follower-ticket')
        and exists (select from ticket_messages as answer where answer.id = told.message_id and answer.sender_type <> 'client')`.as(
        'is_told'
      )
    )
    .orderBy('told.message_id')
    .orderBy(sql`lower(sent.recipient)`)
    .orderBy('sent.id', 'desc')
    .limit(2_000)
)
