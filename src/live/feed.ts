import type { StaffActor } from '../actor.ts'
import type { Services } from '../services.ts'
import { placeOfCursor, placeOfOldest } from './cursor.ts'
import type { EventView } from './event-view.ts'
import { scanEvents, type Wanted } from './scan-events.ts'

interface Feed {
  events: EventView[]
  /** Leads on, also from the end. */
  nextCursor: string
}

/**
 * What happened behind the cursor, or from the oldest that is kept, as far as this member of staff may read of it now. Fewer than `limit`, or
 * none, do not mean that it was all: a call looks at a bounded part of the log. Throws what `placeOfCursor` throws.
 */
export async function readFeed(
  services: Services,
  actor: StaffActor,
  wanted: Wanted,
  { cursor, limit }: { cursor: string | number | undefined; limit: number }
): Promise<Feed> {
  // Whoever has just written finds it.
  await services.events.sequence()
  const after = cursor === undefined ? await placeOfOldest(services) : await placeOfCursor(services, cursor)
  const { events, scannedTo } = await scanEvents(services.db, actor, wanted, { after, limit })
  return { events, nextCursor: String(scannedTo) }
}
