import type { StaffActor } from '../../core/actor.ts'
import type { Services } from '../../core/services.ts'
import { positionOfCursor, positionOfOldest } from './cursor.ts'
import type { EventView } from './event-view.ts'
import { type EventFilter, scanEvents } from './scan-events.ts'

interface Feed {
  events: EventView[]
  /** Can be used to continue, also at the end of the log. */
  nextCursor: string
}

/**
 * The events after the cursor, or from the oldest that is kept, that this member of staff may see now. A call reads a bounded part of the log,
 * so a page with fewer than `limit` events need not be the last. Throws what `positionOfCursor` throws.
 */
export async function readFeed(
  services: Services,
  actor: StaffActor,
  wanted: EventFilter,
  { cursor, limit }: { cursor: string | number | undefined; limit: number }
): Promise<Feed> {
  // A caller finds what they have just written.
  await services.events.sequence()
  const after = cursor === undefined ? await positionOfOldest(services) : await positionOfCursor(services, cursor)
  const { events, scannedTo } = await scanEvents(services.db, actor, wanted, { after, limit })
  return { events, nextCursor: String(scannedTo) }
}
