import type { Static } from 'typebox'
import type { StaffActor } from '../actor.ts'
import { doerOf } from '../history/doer.ts'
import { type Deed, record } from '../history/record.ts'
import { type Db, transaction } from '../platform/db/open.ts'
import type { Services } from '../services.ts'
import type { Origin } from '../tickets/add-message.ts'
import type { Sight } from '../tickets/sight.ts'
import type { TicketRef } from '../tickets/words.ts'
import { type HeldTicket, heldAlone, heldTogether, holdClientOf } from './held-ticket.ts'
import { deskSight } from './queue.ts'
import { changedTicket } from './queue-row.ts'
import type { QueueTicket } from './words.ts'

export type DeskServices = Pick<Services, 'db' | 'clock' | 'keys'>

/** Who changes which ticket, and the version of it that they have before them. */
export interface Change {
  actor: StaffActor
  caller: Origin
  ref: TicketRef
  expectedVersion: number | undefined
}

/** How a change looks for its ticket. */
export interface Holding {
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
  services: DeskServices,
  { actor, caller, ref, expectedVersion }: Change,
  work: (
    db: Db,
    ticket: HeldTicket,
    now: Date
  ) => Promise<Pick<Deed, 'action' | 'before' | 'after' | 'logged'> | undefined>,
  { sight = deskSight(actor), client, before }: Holding = {}
): Promise<Static<typeof QueueTicket>> {
  return await transaction(services.db, async db => {
    await before?.(db)
    if (client) {
      const { id } = await holdClientOf(db, sight, ref)
      await heldTogether(db, [id])
    }
    const ticket = await heldAlone(db, actor, sight, ref, expectedVersion)
    const deed = await work(db, ticket, services.clock.now())
    const changed = await changedTicket(db, ticket.id)
    if (deed) {
      const target = { type: 'ticket', id: ticket.id } as const
      await record(services, db, doerOf(actor, caller), { ...deed, target, ticketId: ticket.id })
    }
    return changed
  })
}
