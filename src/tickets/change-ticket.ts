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

/** What a change of a ticket tells of it. */
export type TicketEvent = Pick<Happened, 'kind' | 'before' | 'after' | 'logged'>

/** Who changes which ticket, and the version of it that they have before them. */
export interface Change<A extends DeskActor = DeskActor> {
  actor: A
  caller: Origin
  ref: TicketRef
  expectedVersion: number | undefined
}

/** How a change looks for its ticket. */
export interface Locking {
  /** What is seen, where that is not what the queue shows. */
  sight?: Sight
  /** Holds the client before the ticket, and with it what was merged into it: for who changes these as well. */
  client?: true
  /** Holds what is held before any client or ticket. */
  before?: (db: Db) => Promise<unknown>
}

/**
 * Changes one ticket that the actor sees, and records it with the change. `work` answers what it did, or undefined where there
 * was nothing to do. Answers the ticket as it is then. Throws `TicketNotFound`, `VersionConflict`, `TicketMerged`.
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
