import { Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import { newestPosition } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'

export const InvalidCursor = failure(400, 'invalid_cursor', 'This cursor is invalid: use one from an earlier response')
export const CursorExpired = failure(
  410,
  'cursor_expired',
  'The events after this cursor are no longer stored: start again without a cursor'
)

/** The id of the last event that the caller has read, as a string or a number. */
export const Cursor = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  maxLength: 100,
  examples: ['4711'],
  description: 'The `id` of an event, or a `next_cursor`: only later events are returned.'
})

const daySeconds = 86_400

type CursorServices = Pick<Services, 'db' | 'clock' | 'config'>

/** The log position to read after. Throws `InvalidCursor`, and `CursorExpired` if later events were already removed. */
export async function positionOfCursor(services: CursorServices, cursor: string | number): Promise<number> {
  const text = String(cursor).trim()
  const place = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(place)) throw InvalidCursor({ errors: ['after'] })
  const { db } = services
  const [[next], newest] = await Promise.all([eventBehind(db, { place }), newestPosition(db)])
  // Events may be committed in between, so read the newest place once more.
  if (place > newest && place > (await newestPosition(db))) throw InvalidCursor({ errors: ['after'] })
  const isGone = next ? next.place > place + 1 || next.created_at < keptSince(services) : place < newest
  if (isGone) throw CursorExpired({ errors: ['after'] })
  return place
}

/** The log position just before the oldest event that is still kept. */
export async function positionOfOldest(services: CursorServices): Promise<number> {
  const { db } = services
  const newest = await newestPosition(db)
  const [oldest] = await oldestSince(db, { since: keptSince(services) })
  return oldest ? oldest.place - 1 : newest
}

/** Older events are no longer sent. */
function keptSince({ clock, config }: Pick<Services, 'clock' | 'config'>): Date {
  return secondsAfter(clock.now(), -config.EVENT_RETENTION_DAYS * daySeconds)
}

const eventBehind = prepared((db: Db, p: { place: number }) =>
  db
    .selectFrom('event_places')
    .innerJoin('events', 'events.id', 'event_places.event_id')
    .where('event_places.place', '>', p.place)
    .select(['event_places.place', 'events.created_at'])
    .orderBy('event_places.place')
    .limit(1)
)

const oldestSince = prepared((db: Db, p: { since: Date }) =>
  db
    .selectFrom('event_places')
    .innerJoin('events', 'events.id', 'event_places.event_id')
    .where('events.created_at', '>=', p.since)
    .select('event_places.place')
    .orderBy('event_places.place')
    .limit(1)
)
