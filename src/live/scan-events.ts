import type { Actor } from '../actor.ts'
import type { Db } from '../db.ts'
import type { EventKind } from '../events/catalogue.ts'
import { eventsBetween, eventsOfClient, eventsOfTicket } from '../events/choose-events.ts'
import type { DeskEvent } from '../events/event.ts'
import { newestPlace } from '../events/read-events.ts'
import { endedClientSessions, staffActorsOf } from '../sessions/session-of.ts'
import { ticketsAtHand } from '../tickets/seen-by.ts'
import { type EventView, eventFor, kindsForClients, ticketsOf } from './event-view.ts'

/** What of the log is wanted. */
export interface Wanted {
  kinds?: readonly EventKind[] | undefined
  ticketId?: number | undefined
}

interface Scan {
  events: EventView[]
  /** Everything up to this place has been looked at: reading goes on behind it. */
  scannedTo: number
}

const batch = 1000
/** So far does one scan look for somebody who may read of little. */
const maxBatches = 10

/**
 * The next events behind a place that this person may read of now, at most `limit`. It looks at a bounded part of the log, and the place
 * advances over what it does not tell: where `scannedTo` is the newest place, nothing is left.
 */
export async function scanEvents(
  db: Db,
  actor: Actor,
  wanted: Wanted,
  { after, limit }: { after: number; limit: number }
): Promise<Scan> {
  // What is placed from now on is found by the next scan.
  const newest = await newestPlace(db)
  const events: EventView[] = []
  let scannedTo = Math.min(after, newest)
  for (let rounds = 0; rounds < maxBatches && scannedTo < newest && events.length < limit; rounds++) {
    const left = limit - events.length
    const query = { after: scannedTo, upTo: newest, limit: seesAll(actor) ? left : batch }
    const found = await readWanted(db, actor, wanted, query)
    const tickets = await ticketsAtHand(db, ticketsOf(found.events))
    for (const event of found.events) {
      const view = events.length < limit ? eventFor(actor, event, tickets) : undefined
      if (view) events.push(view)
      if (events.length < limit || view) scannedTo = event.id
    }
    if (events.length < limit) scannedTo = found.isAll ? newest : found.readTo
  }
  return { events, scannedTo }
}

interface Found {
  events: DeskEvent[]
  readTo: number
  /** Nothing wanted is left up to the newest place. */
  isAll: boolean
}

/** Of the whole log a window of places is read, of a ticket or a client all that there is, which is found by an index. */
async function readWanted(
  db: Db,
  actor: Actor,
  { kinds, ticketId }: Wanted,
  { after, upTo, limit }: { after: number; upTo: number; limit: number }
): Promise<Found> {
  const isClient = actor.population === 'client'
  const wantedKinds = isClient ? kindsForClients.filter(kind => !kinds || kinds.includes(kind)) : kinds
  const query = { after, upTo, limit, kinds: wantedKinds }
  if (ticketId !== undefined || isClient) {
    const events = await (ticketId !== undefined
      ? eventsOfTicket(db, { ...query, ticketId })
      : eventsOfClient(db, { ...query, clientId: actor.id }))
    return { events, readTo: events.at(-1)?.id ?? upTo, isAll: events.length < limit }
  }
  const end = Math.min(upTo, after + window)
  const events = await eventsBetween(db, { ...query, upTo: end })
  return {
    events,
    readTo: events.length < limit ? end : events.at(-1)!.id,
    isAll: end === upTo && events.length < limit
  }
}

/** In how many places rare kinds are looked for in one statement. */
const window = 20_000

function seesAll(actor: Actor): boolean {
  return actor.population === 'staff' && actor.role === 'admin'
}

/** Who listens, as they are now; undefined where their session is over. */
export async function actorNow(
  db: Db,
  { actor, session }: { actor: Actor; session: number }
): Promise<Actor | undefined> {
  if (actor.population === 'staff') return (await staffActorsOf(db, [session])).get(session)
  return (await endedClientSessions(db, [session])).has(session) ? undefined : actor
}
