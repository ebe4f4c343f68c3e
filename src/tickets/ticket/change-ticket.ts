import type { DeskActor } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import type { Db } from '../../core/db.ts'
import type { NewEventFacts } from '../../core/events/catalogue.ts'
import type { NewEvent } from '../../core/events/insert-events.ts'
import { type LockedTicket, lockClientOf, lockedUnmerged, lockedWithMerged } from './locked-ticket.ts'
import { changedTicket, type QueueTicket } from './queue-ticket.ts'
import type { TicketRef } from './schemas.ts'
import { deskVisibility, type TicketVisibility } from './visibility.ts'

/** The event that a change of a ticket records. */
export type TicketEvent = NewEventFacts & Pick<NewEvent, 'logged'>

/** The actor, the ticket and the version that the caller expects. */
export interface Change<A extends DeskActor = DeskActor> {
  actor: A
  caller: Origin
  ref: TicketRef
  expectedVersion: number | undefined
}

/** How the ticket of a change is found and locked. */
export interface Locking {
  /** The tickets that the actor may see, if other than those of the queue. */
  visibility?: TicketVisibility
  /** Locks the client before the ticket, and the tickets merged into it: for changes that touch these as well. */
  client?: true
  /** Takes locks that come before those of clients and tickets. */
  before?: (db: Db) => Promise<unknown>
}

/**
 * Changes one ticket that the actor sees, and records the event in the same transaction. `work` returns that event, or undefined if there
 * was nothing to do. Returns the ticket after the change. Throws `TicketNotFound`, `VersionConflict`, `TicketMerged`.
 */
export async function changeTicket(
  services: ActServices,
  { actor, caller, ref, expectedVersion }: Change,
  work: (act: Act, ticket: LockedTicket) => Promise<TicketEvent | undefined>,
  { visibility = deskVisibility(actor), client, before }: Locking = {}
): Promise<QueueTicket> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    await before?.(db)
    if (client) {
      const { id } = await lockClientOf(db, visibility, ref)
      await lockedWithMerged(db, [id])
    }
    const ticket = await lockedUnmerged(db, actor, visibility, ref, expectedVersion)
    const event = await work(act, ticket)
    if (event) act.happened({ ...event, ticket: ticket.id })
    return await changedTicket(db, ticket.id)
  })
}
