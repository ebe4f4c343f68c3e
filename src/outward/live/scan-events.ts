import type { Actor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { EventKind } from '../../core/events/catalogue.ts'
import { eventsBetween, eventsOfClient, eventsOfManager, eventsOfTicket } from '../../core/events/choose-events.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { newestPosition } from '../../core/events/read-events.ts'
import { endedClientSessions, staffActorsOf } from '../../core/sessions/session-of.ts'
import { loadTickets } from '../../tickets/ticket/visible-in-memory.ts'
import { type EventView, eventFor, kindsForClients, ticketsOf } from './event-view.ts'

/** Which events of the log somebody wants; undefined for all. */
export interface EventFilter {
  kinds?: readonly EventKind[] | undefined
  ticketId?: number | undefined
}

interface Scan {
  events: EventView[]
  /** Everything up to this place has been read; continue after it. */
  scannedTo: number
}

const batch = 1000
/** The most batches that one scan reads for somebody who may see little. */
const maxBatches = 10

/**
 * The next events after a place that this person may see now, at most `limit`. It reads a bounded part of the log, and the place advances past
 * events that are left out: if `scannedTo` is the newest place, nothing is left.
 */
export async function scanEvents(
  db: Db,
  actor: Actor,
  wanted: EventFilter,
  { after, limit }: { after: number; limit: number }
): Promise<Scan> {
  // Events committed from now on are found by the next scan.
  const newest = await newestPosition(db)
  const events: EventView[] = []
  let scannedTo = Math.min(after, newest)
  for (let rounds = 0; rounds < maxBatches && scannedTo < newest && events.length < limit; rounds++) {
    const left = limit - events.length
    const query = { after: scannedTo, upTo: newest, limit: seesAll(actor) ? left : batch }
    const found = await readWanted(db, actor, wanted, query)
    const tickets = await loadTickets(db, ticketsOf(found.events))
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
  /** No wanted event is left up to the newest place. */
  isAll: boolean
}

/** Reads a window of places of the whole log, or all events of a ticket or a client, which an index finds. */
async function readWanted(
  db: Db,
  actor: Actor,
  { kinds, ticketId }: EventFilter,
  { after, upTo, limit }: { after: number; upTo: number; limit: number }
): Promise<Found> {
  const isClient = actor.population === 'client'
  const managed = isClient ? actor.managedOrganisation : undefined
  const wantedKinds = isClient ? kindsForClients.filter(kind => !kinds || kinds.includes(kind)) : kinds
  const query = { after, upTo, limit, kinds: wantedKinds }
  if (ticketId !== undefined || (isClient && managed === undefined)) {
    const events = await (ticketId !== undefined
      ? eventsOfTicket(db, { ...query, ticketId })
      : eventsOfClient(db, { ...query, clientId: actor.id }))
    return { events, readTo: events.at(-1)?.id ?? upTo, isAll: events.length < limit }
  }
  const end = Math.min(upTo, after + window)
  const part = { ...query, upTo: end }
  const events = await (managed === undefined
    ? eventsBetween(db, part)
    : eventsOfManager(db, { ...part, clientId: actor.id, organisationId: managed }))
  return {
    events,
    readTo: events.length < limit ? end : events.at(-1)!.id,
    isAll: end === upTo && events.length < limit
  }
}

/** How many places one statement searches for rare kinds. */
const window = 20_000

function seesAll(actor: Actor): boolean {
  return actor.population === 'staff' && actor.role === 'admin'
}

/** The listener's current actor; undefined if the session has ended, or the client manages another organisation by now. */
export async function currentActor(
  db: Db,
  { actor, session }: { actor: Actor; session: number }
): Promise<Actor | undefined> {
  if (actor.population === 'staff') return (await staffActorsOf(db, [session])).get(session)
  return (await endedClientSessions(db, [{ actor, session }])).has(session) ? undefined : actor
}
