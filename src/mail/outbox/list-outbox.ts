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
    .selectFrom('letters')
    .leftJoin('sent_emails as sent', 'sent.letter_id', 'letters.id')
    .select(['letters.id', 'letters.channel', 'letters.kind', 'letters.recipient', 'letters.state', 'letters.attempts'])
    .select(['letters.last_answer', 'letters.request_id', 'letters.created_at', 'letters.settled_at'])
    .select([
      sql<ListedMessage['delivery']>`case when sent.bounced_at is not null then 'bounced'
        when sent.delivered_at is not null then 'delivered' when sent.delayed_at is not null then 'delayed' end`.as(
        'delivery'
      ),
      'sent.bounce_reason'
    ])
    .orderBy('letters.id', 'desc')
    .limit(limit)
  if (state) query = query.where('letters.state', '=', state)
  return await query.execute()
}
