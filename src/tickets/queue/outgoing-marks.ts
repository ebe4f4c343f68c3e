import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

/** What a row of the queue tells of what goes out of a ticket. */
export interface OutgoingMarks {
  /** An e-mail with an answer came back, and nobody has answered since or said that they know. */
  undelivered: 0 | 1
  /** Somebody has begun a reply. */
  has_draft: 0 | 1
  /** A third party was asked and has not answered yet. */
  side_waiting: 0 | 1
}

export const noMarks: OutgoingMarks = { undelivered: 0, has_draft: 0, side_waiting: 0 }

/** The marks of those of these tickets that have any. */
export async function outgoingMarks(db: Db, tickets: readonly number[]): Promise<Map<number, OutgoingMarks>> {
  if (tickets.length === 0) return new Map()
  const found = await marked(db, { tickets })
  return new Map(found.map(({ id, ...marks }) => [id, marks]))
}

// What went out of a ticket before it was merged counts where its thread is. Few tickets have a mark, so each kind is looked up for all at once.
const marked = prepared((db, p: { tickets: readonly number[] }) =>
  db
    .with(
      'part',
      () => sql<{ of: number; id: number }>`(
        select id as of, id from unnest(${p.tickets}::bigint[]) as ticket (id)
        union all select merged_into_id, id from tickets where merged_into_id = any(${p.tickets}::bigint[]))`
    )
    .selectFrom(
      sql<OutgoingMarks & { of: number }>`(
        select part.of, 1 as undelivered, 0 as has_draft, 0 as side_waiting from part join sent_emails as sent on sent.ticket_id = part.id
          where sent.bounced_at is not null and (sent.dismissed_at is null or sent.dismissed_at < sent.bounced_at)
            and sent.kind in ('client-ticket', 'follower-ticket')
            and not exists (select from part as other join ticket_messages as answer on answer.ticket_id = other.id
              where other.of = part.of and answer.sender_type <> 'client' and answer.created_at > sent.bounced_at)
        union all select part.of, 0, 1, 0 from part join ticket_drafts as draft on draft.ticket_id = part.id
        union all select part.of, 0, 0, 1 from part join side_conversations as side on side.ticket_id = part.id
          where not side.is_closed and not side.is_answered)`.as('mark')
    )
    .groupBy('mark.of')
    .select(({ fn }) => [
      'mark.of as id',
      fn.max('mark.undelivered').as('undelivered'),
      fn.max('mark.has_draft').as('has_draft'),
      fn.max('mark.side_waiting').as('side_waiting')
    ])
)
