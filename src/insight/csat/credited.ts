import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

/** Whom a rating of this closing is about (Q5); null: nobody has replied before it. */
export async function creditedFor(
  db: Db,
  { ticket, closedAt }: { ticket: number; closedAt: Date }
): Promise<number | null> {
  const [replied] = await lastReplyBefore(db, { ticket, at: closedAt })
  return replied?.staff_id ?? null
}

/** The last person who replied; the message with which staff opened the ticket is no reply. */
const lastReplyBefore = prepared((db, p: { ticket: number; at: Date }) =>
  db
    .selectFrom('ticket_messages')
    .where('ticket_id', '=', p.ticket)
    .where('staff_id', 'is not', null)
    .where('created_at', '<=', p.at)
    .where(
      sql<boolean>`id > (select min(first.id) from ticket_messages as first where first.ticket_id = ticket_messages.ticket_id)`
    )
    .select('staff_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
)
