import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
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

/** Sequenced events, in order. */
export function sequencedEvents(db: Db) {
  return db
    .selectFrom('event_places')
    .innerJoin('events', 'events.id', 'event_places.event_id')
    .select(['event_places.place as id', 'events.kind', 'events.created_at as at', 'events.subject_type'])
    .select(sql<number | null>`coalesce(events.subject_id, events.ticket_id)`.as('subject_id'))
    .select(['events.ticket_id', 'events.client_id', 'events.department_id'])
    .select(['events.actor_type', 'events.actor_id', 'events.actor_name'])
    .select(['events.before', 'events.after', 'events.request_id', 'events.is_silent', 'events.cause'])
    .orderBy('event_places.place')
}
