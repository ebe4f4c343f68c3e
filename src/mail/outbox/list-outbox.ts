import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { OutboxRow } from '../../core/tables/outbox.ts'

export type ListedMessage = Omit<OutboxRow, 'sealed_content' | 'client_id'> & {
  /** The delivery report after a mail server accepted it; null for none. */
  delivery: 'delivered' | 'delayed' | 'bounced' | null
  bounce_reason: string | null
}

/** E-mails and texts of the last 30 days, newest first, without their content. */
export async function listOutbox(
  db: Db,
  { state, limit }: { state?: OutboxRow['state']; limit: number }
): Promise<ListedMessage[]> {
  let query = db
    .selectFrom('outbox_messages')
    .leftJoin('sent_emails as sent', 'sent.outbox_message_id', 'outbox_messages.id')
    .select([
      'outbox_messages.id',
      'outbox_messages.channel',
      'outbox_messages.kind',
      'outbox_messages.recipient',
      'outbox_messages.state',
      'outbox_messages.attempts'
    ])
    .select([
      'outbox_messages.last_answer',
      'outbox_messages.request_id',
      'outbox_messages.created_at',
      'outbox_messages.settled_at'
    ])
    .select([
      sql<ListedMessage['delivery']>`case when sent.bounced_at is not null then 'bounced'
        when sent.delivered_at is not null then 'delivered' when sent.delayed_at is not null then 'delayed' end`.as(
        'delivery'
      ),
      'sent.bounce_reason'
    ])
    .orderBy('outbox_messages.id', 'desc')
    .limit(limit)
  if (state) query = query.where('outbox_messages.state', '=', state)
  return await query.execute()
}
