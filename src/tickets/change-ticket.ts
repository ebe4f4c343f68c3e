import type { Static } from 'typebox'
import type { DeskActor } from '../actor.ts'
import { type Act, type ActServices, act } from '../acts/act.ts'
import type { Origin } from '../audit/audit-actor.ts'
import type { Db } from '../db.ts'
import type { Happened } from '../events/insert-events.ts'
import type { QueueTicket } from './desk-schemas.ts'
import { type LockedTicket, lockClientOf, lockedAlone, lockedTogether } from './locked-ticket.ts'
import type { TicketRef } from './schemas.ts'
import { deskSight, type Sight } from './sight.ts'
import { changedTicket } from './ticket-row.ts'

/** The event that a change of a ticket records. */
export type TicketEvent = Pick<Happened, 'kind' | 'before' | 'after' | 'logged'>

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
  sight?: Sight
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
  { sight = deskSight(actor), client, before }: Locking = {}
): Promise<Static<typeof QueueTicket>> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    await before?.(db)
    if (client) {
      const { id } = await lockClientOf(db, sight, ref)
      await lockedTogether(db, [id])
    }
    const ticket = await lockedAlone(db, actor, sight, ref, expectedVersion)
    const event = await work(act, ticket)
    if (event) act.happened({ ...event, ticket: ticket.id })
    return await changedTicket(db, ticket.id)
  })
}
