import { randomUUID } from 'node:crypto'
import type { Session } from '../../core/actor.ts'
import { newestPosition } from '../../core/events/read-events.ts'
import { logStatus } from '../../core/events/sequencer.ts'
import { accessTokenSeconds, maxStreamsPerAccount } from '../../core/limits.ts'
import type { Services } from '../../core/services.ts'
import type { EventsAnswer } from '../../kit/answers.ts'
import { failure } from '../../kit/errors.ts'
import type { EventStream } from '../../kit/event-stream.ts'
import { positionOfCursor } from './cursor.ts'
import { type Hub, makeHub } from './hub.ts'
import type { EventFilter } from './scan-events.ts'

export const TooManyStreams = failure(429, 'too_many_streams', 'This account has too many open event streams')
export const StreamsFull = failure(
  503,
  'streams_full',
  'The server has too many open event streams. Please try again later'
)

/** The hub of each process, keyed by the event log: `services` may be those of one transaction. */
const hubs = new WeakMap<Services['events'], Hub>()

function hubOf(services: Services): Hub {
  const known = hubs.get(services.events)
  if (known) return known
  const hub = makeHub(services)
  hubs.set(services.events, hub)
  return hub
}

/** Presence at a ticket has changed in this process. */
export function presenceChanged({ events }: Services): void {
  hubs.get(events)?.presenceChanged()
}

/** Resolves once all ended streams have been released. */
export async function allStreamsReleased(services: Services): Promise<void> {
  await hubs.get(services.events)?.allReleased()
}

/**
 * Opens an event stream, after a cursor or from now on, for a caller who is logged in. Throws `TooManyStreams`, `StreamsFull`, and what
 * `positionOfCursor` throws.
 */
export async function openStream(
  services: Services,
  { actor, id: session, expiresAt }: Session,
  wanted: EventFilter,
  cursor: string | number | undefined
): Promise<EventsAnswer> {
  const hub = hubOf(services)
  const position = await positionOf(services, cursor)
  const row = { id: randomUUID(), process_id: hub.process, population: actor.population, account_id: actor.id }
  if (!hub.hasRoom()) throw StreamsFull({ headers: { 'retry-after': '5' } })
  if (!(await hub.take(row, maxStreamsPerAccount))) {
    throw TooManyStreams({
      message: `This account listens to ${maxStreamsPerAccount} streams already: close one first`,
      headers: { 'retry-after': '5' }
    })
  }
  const listener = (stream: EventStream) => ({
    ...{ row, actor, session, wanted, stream, position },
    endsAt: Date.now() + Math.min(accessTokenSeconds * 1000, leftOf(expiresAt, services.realClock.now())),
    isLive: false,
    hasPresence: false
  })
  // Where a client continues if it is cut off before the first event.
  return { headers: { 'last-event-id': String(position) }, begin: stream => hub.add(listener(stream)) }
}

/** In milliseconds. */
function leftOf(end: Date | undefined, now: Date): number {
  return end === undefined ? Number.POSITIVE_INFINITY : end.getTime() - now.getTime()
}

async function positionOf(services: Services, cursor: string | number | undefined): Promise<number> {
  if (cursor !== undefined) return await positionOfCursor(services, cursor)
  // What was committed before now is not sent.
  const { newest, isWaiting } = await logStatus(services.db)
  if (!isWaiting) return newest
  await services.events.sequence()
  return await newestPosition(services.db)
}
