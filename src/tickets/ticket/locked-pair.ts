import type { DeskActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { requireVersion } from '../../kit/versions.ts'
import { type LockedTicket, lockClientOf, lockedWithMerged, visibleTicketNow } from './locked-ticket.ts'
import type { TicketRef } from './schemas.ts'
import { TicketNotFound } from './ticket-for.ts'
import { deskVisibility, type TicketVisibility } from './visibility.ts'

/**
 * Locks two tickets that the actor sees (possibly the same one) with all that were merged into them, lowest id first, until the transaction
 * ends; and before them the client of the first, so that operations on several tickets of a client run one after the other. Throws
 * `TicketNotFound`, and `VersionConflict` for the version of the first.
 */
export async function lockedPair(
  db: Db,
  actor: DeskActor,
  first: TicketRef,
  second: TicketRef,
  expectedVersion: number | undefined,
  visibility: TicketVisibility = deskVisibility(actor)
): Promise<[LockedTicket, LockedTicket]> {
  await lockClientOf(db, visibility, first)
  const idsSeen = async () =>
    [await visibleTicketNow(db, visibility, first, {}), await visibleTicketNow(db, visibility, second, {})].map(
      seen => seen?.id
    )
  const locked = await lockedWithMerged(
    db,
    (await idsSeen()).map(id => id ?? 0)
  )
  // They may have moved to another department or the trash meanwhile, and are no longer seen.
  const [one, other] = (await idsSeen()).map(seen => locked.find(({ id }) => id === seen))
  if (!one || !other) throw TicketNotFound()
  requireVersion(one.version, expectedVersion)
  return [one, other]
}
