import type { StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { failure } from '../../kit/errors.ts'
import { lockedPair } from '../ticket/locked-pair.ts'
import { type LockedTicket, lockedTicket, refuseMerged } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { readerVisibility } from '../ticket/visibility.ts'

export const TicketTrashed = failure(409, 'ticket_trashed', 'This ticket is in the trash')

/**
 * Locks a ticket that the actor sees. Throws `TicketNotFound`, `VersionConflict`, `TicketMerged`, and `TicketTrashed` to those who see the
 * trash.
 */
export async function lockedForWork(
  db: Db,
  actor: StaffActor,
  ref: TicketRef,
  expectedVersion?: number
): Promise<LockedTicket> {
  const ticket = await lockedTicket(db, readerVisibility(actor), ref, expectedVersion)
  await refuseAway(db, actor, ticket)
  return ticket
}

/** The same for two, which may be the same one. */
export async function lockedBoth(
  db: Db,
  actor: StaffActor,
  first: TicketRef,
  second: TicketRef
): Promise<[LockedTicket, LockedTicket]> {
  const both = await lockedPair(db, actor, first, second, undefined, readerVisibility(actor))
  for (const ticket of both) await refuseAway(db, actor, ticket)
  return both
}

/** Throws `TicketMerged` or `TicketTrashed` for a ticket on which nobody works. */
export async function refuseAway(db: Db, actor: StaffActor, ticket: LockedTicket): Promise<void> {
  await refuseMerged(db, actor, ticket)
  if (ticket.trashed_at !== null) throw TicketTrashed({ message: `${ticket.ticket_number} is in the trash` })
}
