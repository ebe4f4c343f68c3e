import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { EventKind } from './catalogue.ts'
import type { DeskEvent } from './event.ts'
import { eventOf, sequencedEvents } from './read-events.ts'

/** A part of the log: the first `limit` events of these kinds, or of all, after one position and up to another. */
export interface EventRange {
  after: number
  upTo: number
  limit: number
  kinds: readonly EventKind[] | undefined
}

export async function eventsBetween(db: Db, part: EventRange): Promise<DeskEvent[]> {
  const rows = await (part.kinds ? ofKinds(db, { ...part, kinds: part.kinds }) : ofAllKinds(db, part))
  return rows.map(eventOf)
}

/** The same of the tickets of a client and of an organisation. */
export async function eventsOfManager(
  db: Db,
  part: EventRange & { clientId: number; organisationId: number }
): Promise<DeskEvent[]> {
  return (await ofManager(db, { ...part, kinds: part.kinds ?? null })).map(eventOf)
}

/** The same events of one ticket; with `clientId` none, unless it is that client's ticket. */
export async function eventsOfTicket(
  db: Db,
  part: EventRange & { ticketId: number; clientId?: number }
): Promise<DeskEvent[]> {
  const { ticketId, clientId = null, kinds = null } = part
  return (await ofTicket(db, { ...part, ticketId, clientId, kinds })).map(eventOf)
}

/** The same events of all tickets of a client. */
export async function eventsOfClient(db: Db, part: EventRange & { clientId: number }): Promise<DeskEvent[]> {
  return (await ofClient(db, { ...part, kinds: part.kinds ?? null })).map(eventOf)
}

type Bounds = Omit<EventRange, 'kinds'>
type Kinds = readonly EventKind[] | null

const ofAllKinds = prepared((db, p: Bounds) => within(db, p))

const ofKinds = prepared((db, p: Bounds & { kinds: readonly EventKind[] }) =>
  within(db, p).where('events.kind', '=', sql<string>`any(${p.kinds}::varchar[])`)
)

// The tickets of an organisation may be many, so that the events between the positions are fewer.
const ofManager = prepared((db, p: Bounds & { clientId: number; organisationId: number; kinds: Kinds }) =>
  within(db, p).where(
    sql<boolean>`events.kind = any(coalesce(${p.kinds}::varchar[], array[events.kind])) and exists (
      select from tickets where tickets.id = events.ticket_id
        and (tickets.client_id = ${p.clientId} or tickets.organisation_id = ${p.organisationId}))`
  )
)

// Found by the index of the ticket, so that a log of millions is not scanned for the few events of one ticket.
const ofTicket = prepared((db, p: Bounds & { ticketId: number; clientId: number | null; kinds: Kinds }) =>
  within(db, p).where(
    'events.id',
    'in',
    sql<number>`(with own as materialized (
      select events.id from events join tickets on tickets.id = events.ticket_id
      where events.ticket_id = ${p.ticketId} and tickets.client_id = coalesce(${p.clientId}, tickets.client_id)
        and events.kind = any(coalesce(${p.kinds}::varchar[], array[events.kind]))
      ) select id from own)`
  )
)

const ofClient = prepared((db, p: Bounds & { clientId: number; kinds: Kinds }) =>
  within(db, p).where(
    'events.id',
    'in',
    sql<number>`(with own as materialized (
      select events.id from events join tickets on tickets.id = events.ticket_id
      where tickets.client_id = ${p.clientId}
        and events.kind = any(coalesce(${p.kinds}::varchar[], array[events.kind]))
      ) select id from own)`
  )
)

function within(db: Db, p: Bounds) {
  return sequencedEvents(db)
    .where('event_places.place', '>', p.after)
    .where('event_places.place', '<=', p.upTo)
    .limit(p.limit)
}
