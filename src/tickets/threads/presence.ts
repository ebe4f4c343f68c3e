import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { afterCommit } from '../../platform/db/outer-transaction.ts'

export const presenceStates = ['viewing', 'replying', 'away'] as const
export type PresenceState = (typeof presenceStates)[number]

/** A ticket, or an article of the knowledge base. */
export type Place = { ticket: number } | { article: number }

/** Staff who write on a ticket are present there once that is committed. A failure here does not fail the write. */
export async function markPresentOnWrite(
  { db, log }: Pick<Services, 'db' | 'log'>,
  actor: StaffActor,
  ticketId: number
): Promise<void> {
  await afterCommit(db, db =>
    setPresence(db, actor, { ticket: ticketId }, 'viewing').catch(error =>
      log.warn({ err: error }, 'Presence at a ticket could not be recorded')
    )
  )
}

/** Records that a member of staff is at a ticket or an article, or has left it. */
export async function setPresence(
  db: Db,
  { id: staff }: StaffActor,
  place: Place,
  state: PresenceState | 'writing'
): Promise<void> {
  const at = { staff, ticket: null, article: null, ...place }
  if (state === 'away') await leave(db, at)
  else await ('ticket' in place ? upsertAtTicket : upsertAtArticle)(db, { ...at, state })
}

/** How long a report of presence is valid. */
export const lasting = sql`interval '30 seconds'`

interface Present {
  staff: number
  ticket: number | null
  article: number | null
}

const upsertAtTicket = upsertPresence('ticket_id')
const upsertAtArticle = upsertPresence('article_id')

function upsertPresence(place: 'ticket_id' | 'article_id') {
  return prepared((db, p: Present & { state: 'viewing' | 'replying' | 'writing' }) =>
    db
      .with('over', db =>
        db
          .deleteFrom('presences')
          .where('staff_id', '=', p.staff)
          .where(isElsewhere(p))
          .where('said_at', '<=', sql<Date>`now() - ${lasting}`)
      )
      .insertInto('presences')
      .values({
        ...{ staff_id: p.staff, ticket_id: p.ticket, article_id: p.article, state: p.state },
        ...{ since: sql`now()`, said_at: sql`now()` }
      })
      .onConflict(conflict =>
        conflict.columns(['staff_id', place]).doUpdateSet({
          state: sql`excluded.state`,
          said_at: sql`now()`,
          since: sql`case when presences.state = excluded.state and presences.said_at > now() - ${lasting}
            then presences.since else now() end`
        })
      )
  )
}

const leave = prepared((db, p: Present) =>
  db
    .deleteFrom('presences')
    .where('staff_id', '=', p.staff)
    .where(sql<boolean>`not ${isElsewhere(p)}`)
)

function isElsewhere({ ticket, article }: Present) {
  return sql<boolean>`((ticket_id, article_id) is distinct from (${ticket}::bigint, ${article}::bigint))`
}
