import type { StaffActor } from '../actor.ts'
import { requireVersion } from '../kit/versions.ts'
import type { Db } from '../platform/db/open.ts'
import { TicketNotFound } from '../tickets/ticket-for.ts'
import type { TicketRef } from '../tickets/words.ts'
import { type HeldTicket, heldTogether, holdClientOf, seenNow } from './held-ticket.ts'
import { deskSight } from './queue.ts'

/**
 * Two tickets that the actor sees (it may be one and the same), held until the transaction is over, the lower id first; before
 * them the client of the first, so that whatever is done with several tickets of a client is done one after the other.
 * Throws `TicketNotFound`, and `VersionConflict` for the version of the first.
 */
export async function heldPair(
  db: Db,
  actor: StaffActor,
  first: TicketRef,
  second: TicketRef,
  expectedVersion: number | undefined
): Promise<[HeldTicket, HeldTicket]> {
  const sight = deskSight(actor)
  await holdClientOf(db, sight, first)
  const seen = [await seenNow(db, sight, first, {}), await seenNow(db, sight, second, {})]
  const held = await heldTogether(
    db,
    seen.map(ticket => ticket?.id ?? 0)
  )
  const [one, other] = seen.map(ticket => held.find(({ id, trashed_at }) => id === ticket?.id && trashed_at === null))
  if (!one || !other) throw TicketNotFound()
  requireVersion(one.version, expectedVersion)
  return [one, other]
}
