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

const marked = prepared((db, p: { tickets: readonly number[] }) =>
  db
    .selectFrom(sql<{ id: number }>`unnest(${p.tickets}::bigint[])`.as<'ticket'>(sql`ticket (id)`))
    // What went out of a ticket before it was merged counts where its thread is.
    .innerJoinLateral(
      sql<{ ids: number[] }>`(select array(select part.id from tickets as part
        where part.id = ticket.id or part.merged_into_id = ticket.id) as ids)`.as<'parts'>(sql`parts`),
      join => join.onTrue()
    )
    .innerJoinLateral(
      sql<OutgoingMarks>`(select
        case when exists (select from sent_emails as sent where sent.ticket_id = any(parts.ids) and sent.bounced_at is not null
          and (sent.dismissed_at is null or sent.dismissed_at < sent.bounced_at) and sent.kind in ('client-ticket', 'follower-ticket')
          and not exists (select from ticket_messages as answer where answer.ticket_id = any(parts.ids)
            and answer.sender_type <> 'client' and answer.created_at > sent.bounced_at)) then 1 else 0 end as undelivered,
        case when exists (select from ticket_drafts as draft where draft.ticket_id = any(parts.ids)) then 1 else 0 end as has_draft,
        case when exists (select from side_conversations as side where side.ticket_id = any(parts.ids)
          and not side.is_closed and not side.is_answered) then 1 else 0 end as side_waiting)`.as<'mark'>(sql`mark`),
      join => join.on(sql<boolean>`mark.undelivered + mark.has_draft + mark.side_waiting > 0`)
    )
    .select(['ticket.id', 'mark.undelivered', 'mark.has_draft', 'mark.side_waiting'])
)
