import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { afterCommit } from '../../platform/db/outer-transaction.ts'

export const presenceStates = ['viewing', 'replying', 'away'] as const
export type PresenceState = (typeof presenceStates)[number]

/** Staff who write on a ticket are present there once that is committed. A failure here does not fail the write. */
export async function markPresentOnWrite(
  { db, log }: Pick<Services, 'db' | 'log'>,
  actor: StaffActor,
  ticketId: number
): Promise<void> {
  await afterCommit(db, db =>
    setPresence(db, actor, ticketId, 'viewing').catch(error =>
      log.warn({ err: error }, 'Presence at a ticket could not be recorded')
    )
  )
}

/** Records that a member of staff is at a ticket, or has left it. */
export async function setPresence(
  db: Db,
  { id: staff }: StaffActor,
  ticket: number,
  state: PresenceState
): Promise<void> {
  if (state === 'away') await leave(db, { staff, ticket })
  else await upsertPresence(db, { staff, ticket, state })
}

/** How long a report of presence is valid. */
export const lasting = sql`interval '30 seconds'`

const upsertPresence = prepared((db, p: { staff: number; ticket: number; state: 'viewing' | 'replying' }) =>
  db
    .with('over', db =>
      db
        .deleteFrom('presences')
        .where('staff_id', '=', p.staff)
        .where('ticket_id', '<>', p.ticket)
        .where('said_at', '<=', sql<Date>`now() - ${lasting}`)
    )
    .insertInto('presences')
    .values({ staff_id: p.staff, ticket_id: p.ticket, state: p.state, since: sql`now()`, said_at: sql`now()` })
    .onConflict(conflict =>
      conflict.columns(['staff_id', 'ticket_id']).doUpdateSet({
        state: sql`excluded.state`,
        said_at: sql`now()`,
        since: sql`case when presences.state = excluded.state and presences.said_at > now() - ${lasting}
          then presences.since else now() end`
      })
    )
)

const leave = prepared((db, p: { staff: number; ticket: number }) =>
  db.deleteFrom('presences').where('staff_id', '=', p.staff).where('ticket_id', '=', p.ticket)
)
