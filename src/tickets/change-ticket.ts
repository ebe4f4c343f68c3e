import type { Static } from 'typebox'
import type { StaffActor } from '../actor.ts'
import { auditActorOf, type Origin } from '../audit/audit-actor.ts'
import { type AuditEvent, record } from '../audit/record.ts'
import { type Db, transaction } from '../db.ts'
import type { Services } from '../services.ts'
import type { QueueTicket } from './desk-schemas.ts'
import { type LockedTicket, lockClientOf, lockedAlone, lockedTogether } from './locked-ticket.ts'
import type { TicketRef } from './schemas.ts'
import { deskSight, type Sight } from './sight.ts'
import { changedTicket } from './ticket-row.ts'

export type DeskServices = Pick<Services, 'db' | 'clock' | 'keys'>

/** Who changes which ticket, and the version of it that they have before them. */
export interface Change {
  actor: StaffActor
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
  services: DeskServices,
  { actor, caller, ref, expectedVersion }: Change,
  work: (
    db: Db,
    ticket: LockedTicket,
    now: Date
  ) => Promise<Pick<AuditEvent, 'action' | 'before' | 'after' | 'logged'> | undefined>,
  { sight = deskSight(actor), client, before }: Locking = {}
): Promise<Static<typeof QueueTicket>> {
  return await transaction(services.db, async db => {
    await before?.(db)
    if (client) {
      const { id } = await lockClientOf(db, sight, ref)
      await lockedTogether(db, [id])
    }
    const ticket = await lockedAlone(db, actor, sight, ref, expectedVersion)
    const event = await work(db, ticket, services.clock.now())
    const changed = await changedTicket(db, ticket.id)
    if (event) {
      const target = { type: 'ticket', id: ticket.id } as const
      await record(services, db, auditActorOf(actor, caller), { ...event, target, ticketId: ticket.id })
    }
    return changed
  })
}
