import type { StaffActor } from '../actor.ts'
import { requireVersion } from '../kit/versions.ts'
import type { Db } from '../platform/db/open.ts'
import { TicketNotFound } from '../tickets/ticket-for.ts'
import type { TicketRef } from '../tickets/words.ts'
import { type HeldTicket, heldTogether, holdClientOf, seenNow } from './held-ticket.ts'
import { deskSight } from './queue.ts'

/**
 * Two tickets that the actor sees (it may be one and the same), held until the transaction is over with all that was merged into them,
 * the lowest id first; before them the client of the first, so that whatever is done with several tickets of a client is done one after
 * the other. Throws `TicketNotFound`, and `VersionConflict` for the version of the first.
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
  const idsSeen = async () =>
    [await seenNow(db, sight, first, {}), await seenNow(db, sight, second, {})].map(seen => seen?.id)
  const held = await heldTogether(
    db,
    (await idsSeen()).map(id => id ?? 0)
  )
  // Another department's by now, or in the trash, they are seen no more.
  const [one, other] = (await idsSeen()).map(seen => held.find(({ id }) => id === seen))
  if (!one || !other) throw TicketNotFound()
  requireVersion(one.version, expectedVersion)
  return [one, other]
}
