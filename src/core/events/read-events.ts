import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { EventKind } from './catalogue.ts'
import type { DeskEvent } from './event.ts'

/** The events after this position, in order. */
export async function readEvents(db: Db, query: { after: number; limit: number }): Promise<DeskEvent[]> {
  return (await eventsBehind(db, query)).map(eventOf)
}

/** The position of the newest event; 0 if there is none yet. */
export async function newestPosition(db: Db): Promise<number> {
  const [sequencer] = await lastPlace(db, {})
  return sequencer!.last_place
}

/** Sequences all events that are committed by now, so that a caller can read its own writes. */
export async function sequence({ events }: { events: { sequence(): Promise<unknown> } }): Promise<void> {
  await events.sequence()
}

const lastPlace = prepared(db => db.selectFrom('event_sequencer').select('last_place'))

const eventsBehind = prepared((db, p: { after: number; limit: number }) =>
  sequencedEvents(db).where('event_places.place', '>', p.after).limit(p.limit)
)

type EventRow = Awaited<ReturnType<typeof eventsBehind>>[number]

export function eventOf({ kind, actor_type, actor_id, actor_name, ...row }: EventRow): DeskEvent {
  return { ...row, kind, actor: { type: actor_type, id: actor_id, name: actor_name } } as DeskEvent
}

/** The newest events of these kinds, the newest first: of one ticket, or among the last `places` of the log. */
export async function newestEvents(
  db: Db,
  query: { kinds: readonly EventKind[]; limit: number } & (
    | { ticket: number; places: null }
    | { ticket: null; places: number }
  )
): Promise<DeskEvent[]> {
  const { kinds, limit, ticket, places } = query
  const rows = await (ticket === null ? newest(db, { kinds, limit, places }) : newestOf(db, { kinds, limit, ticket }))
  return rows.map(eventOf)
}

const newest = prepared((db, p: { kinds: readonly EventKind[]; limit: number; places: number }) =>
  newestFirst(db, p).where(
    'event_places.place',
    '>',
    sql<number>`(select last_place - ${p.places}::bigint from event_sequencer)`
  )
)

const newestOf = prepared((db, p: { kinds: readonly EventKind[]; limit: number; ticket: number }) =>
  newestFirst(db, p).where('events.ticket_id', '=', p.ticket)
)

function newestFirst(db: Db, p: { kinds: readonly EventKind[]; limit: number }) {
  return sequencedEvents(db)
    .clearOrderBy()
    .where('events.kind', '=', sql<string>`any(${p.kinds}::varchar[])`)
    .orderBy('event_places.place', 'desc')
    .limit(p.limit)
}

/** The event at this position; undefined if it is there no more. */
export async function eventAt(db: Db, place: number): Promise<DeskEvent | undefined> {
  const [event] = await readEvents(db, { after: place - 1, limit: 1 })
  return event?.id === place ? event : undefined
}

/** Events of a ticket with this name of a cause, in order, which need not be sequenced: their ids are not places. */
export async function eventsWritten(db: Db, query: { ticket: number; cause: string }): Promise<DeskEvent[]> {
  return (await written(db, query)).map(eventOf)
}

const written = prepared((db, p: { ticket: number; cause: string }) =>
  db
    .selectFrom('events')
    .where('ticket_id', '=', p.ticket)
    .where(sql<boolean>`cause->>'name' = ${p.cause}`)
    .select(['events.id', 'events.after'])
    .select(columns)
    .select(subjectId)
    .orderBy('events.id')
)

/** Sequenced events, in order. */
export function sequencedEvents(db: Db) {
  return db
    .selectFrom('event_places')
    .innerJoin('events', 'events.id', 'event_places.event_id')
    .select('event_places.place as id')
    .select(columns)
    .select(undoneByPlace)
    .select(subjectId)
    .orderBy('event_places.place')
}

const columns = [
  'events.kind',
  'events.created_at as at',
  'events.subject_type',
  'events.ticket_id',
  'events.client_id',
  'events.department_id',
  'events.actor_type',
  'events.actor_id',
  'events.actor_name',
  'events.before',
  'events.request_id',
  'events.is_silent',
  'events.cause'
] as const
/** What names an undone event by its row names it by its place for readers of the log, who know events by that. */
const undoneByPlace = sql<object | null>`case when events.after->>'undo_of' is null then events.after
  else jsonb_set(events.after::jsonb, '{undo_of}', coalesce(
    (select to_jsonb(undone.place) from event_places undone where undone.event_id = (events.after->>'undo_of')::bigint),
    (events.after->'undo_of')::jsonb))::json end`.as('after')
const subjectId = sql<number | null>`coalesce(events.subject_id, events.ticket_id)`.as('subject_id')
