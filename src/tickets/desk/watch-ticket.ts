import type { StaffActor } from '../../core/actor.ts'
import type { Act, ActServices } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import { type Change, changeTicket } from '../ticket/change-ticket.ts'

/** Starts or stops watching a ticket for the actor; stopping also applies to the tickets merged into it. Throws what `changeTicket` does. */
export async function watchTicket(services: ActServices, change: Change<StaffActor>, watching: boolean) {
  const { id: staffId } = change.actor
  return await changeTicket(services, change, async ({ db, now }, { id }) => {
    const changed = watching ? await begin(db, { id, staffId, now }) : await end(db, { id, staffId })
    if (changed.length === 0) return undefined
    return { kind: watching ? 'ticket.watched' : 'ticket.unwatched' }
  })
}

/** Lets somebody watch a locked ticket; false if they do already. */
export async function startWatching({ db, now }: Act, id: number, staffId: number): Promise<boolean> {
  return (await begin(db, { id, staffId, now })).length > 0
}

const begin = prepared((db, p: { id: number; staffId: number; now: Date }) =>
  db
    .insertInto('ticket_watchers')
    .values({ ticket_id: p.id, staff_id: p.staffId, created_at: p.now })
    .onConflict(conflict => conflict.doNothing())
    .returning('ticket_id')
)

const end = prepared((db, p: { id: number; staffId: number }) =>
  db
    .deleteFrom('ticket_watchers')
    .where('ticket_id', 'in', db =>
      db
        .selectFrom('tickets')
        .where(({ or, eb }) => or([eb('id', '=', p.id), eb('merged_into_id', '=', p.id)]))
        .select('id')
    )
    .where('staff_id', '=', p.staffId)
    .returning('ticket_id')
)
