import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { auditActorOf } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import type { LogReader } from '../../core/events/follow-log.ts'
import { insertEvents } from '../../core/events/insert-events.ts'
import type { Services } from '../../core/services.ts'
import { foldOntoStored } from './fold-stored.ts'
import { askForRecomputation } from './recomputations.ts'
import { changeOf, type TicketEvent, ticketsNamed, timelineKinds } from './timeline-events.ts'
import { type DeskPolicies, deskPolicies } from './world.ts'

/**
 * Follows the log for what SLA clocks count: folds each event of a ticket onto what is stored of it, and writes what follows as events of its own. It
 * writes only its own tables, in the transaction that moves its place in the log, so that each event counts once.
 */
export function slaReader({ clock }: Pick<Services, 'clock'>): LogReader {
  return {
    name: 'sla',
    async handle(db, events) {
      const desk = await deskPolicies(db)
      // A desk without policies has no clocks; timelines are read once it has one.
      if (desk) await foldBatch(db, desk, events, clock.now())
    }
  }
}

async function foldBatch(db: Db, desk: DeskPolicies, events: readonly DeskEvent[], now: Date): Promise<void> {
  const rows = await rowsOf(db, events)
  for (const event of events) await askForRecomputation(db, desk, event, rows.get(event.id)!)
  const erased = await ticketsOfErased(db, events)
  const ids = [...events.filter(isOfTimeline).flatMap(ticketsIn), ...[...erased.values()].flat()]
  if (ids.length === 0) return

  const [first] = events
  const position = { row: rows.get(first!.id)!, place: first!.id }
  const stored = await foldOntoStored(db, desk, [...new Set(ids)], position)
  for (const event of events) {
    const when = { by: rows.get(event.id)!, at: event.at.getTime() }
    for (const ticket of erased.get(event.id) ?? []) stored.fold(ticket, { what: 'erased', ...when })
    const change = isOfTimeline(event) ? changeOf(event, stored.stateOf) : undefined
    if (change && event.ticket_id !== null) stored.fold(event.ticket_id, { ...change, ...when })
  }
  const by = auditActorOf(system)
  const told = await stored.store()
  await insertEvents(
    db,
    told.map(event => ({ ...event, by })),
    now
  )
}

function isOfTimeline(event: DeskEvent): event is DeskEvent & TicketEvent {
  return event.ticket_id !== null && (timelineKinds as readonly string[]).includes(event.kind)
}

function ticketsIn(event: DeskEvent & TicketEvent): number[] {
  return [event.ticket_id!, ...ticketsNamed(event)]
}

/** The tickets of clients who were anonymized, by the event that says so. Those of deleted ones are gone. */
async function ticketsOfErased(db: Db, events: readonly DeskEvent[]): Promise<Map<number, number[]>> {
  const erased = new Map<number, number[]>()
  for (const { kind, id, subject_id } of events) {
    if (kind !== 'client.anonymized' || subject_id === null) continue
    const tickets = await ticketsOfClient(db, { client: subject_id })
    erased.set(
      id,
      tickets.map(({ id }) => id)
    )
  }
  return erased
}

/** The row of each event, by its place in the log. */
async function rowsOf(db: Db, events: readonly DeskEvent[]): Promise<Map<number, number>> {
  const rows = await eventRows(db, { places: events.map(({ id }) => id) })
  return new Map(rows.map(({ place, event_id }) => [place, event_id]))
}

const eventRows = prepared((db, p: { places: readonly number[] }) =>
  db
    .selectFrom('event_places')
    .where('place', '=', sql<number>`any(${p.places}::bigint[])`)
    .select(['place', 'event_id'])
)

const ticketsOfClient = prepared((db, p: { client: number }) =>
  db.selectFrom('tickets').where('client_id', '=', p.client).select('id').orderBy('id')
)
