import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'
import type { EventKind } from './catalogue.ts'
import type { DeskEvent } from './event.ts'
import type { EventTail } from './tail.ts'

/** The events behind that place, in their order. */
export async function readEvents(db: Db, query: { after: number; limit: number }): Promise<DeskEvent[]> {
  return (await eventsBehind(db, query)).map(eventOf)
}

/** The place of the newest event; 0 where there is none yet. */
export async function newestPlace(db: Db): Promise<number> {
  const [sequencer] = await lastPlace(db, {})
  return sequencer!.last_place
}

/** Gives whatever is committed by now its place, so that who reads after it sees what they have just written. */
export async function sequence({ events }: { events: Pick<EventTail, 'sequence'> }): Promise<void> {
  await events.sequence()
}

const lastPlace = prepared(db => db.selectFrom('event_sequencer').select('last_place'))

const eventsBehind = prepared((db, p: { after: number; limit: number }) =>
  placedEvents(db).where('event_places.place', '>', p.after).limit(p.limit)
)

type EventRow = Awaited<ReturnType<typeof eventsBehind>>[number]

export function eventOf({ kind, actor_type, actor_id, actor_name, ...row }: EventRow): DeskEvent {
  return { ...row, kind: kind as EventKind, actor: { type: actor_type, id: actor_id, name: actor_name } }
}

/** Events that have their places, in the order of these. */
export function placedEvents(db: Db) {
  return db
    .selectFrom('event_places')
    .innerJoin('events', 'events.id', 'event_places.event_id')
    .select(['event_places.place as id', 'events.kind', 'events.created_at as at', 'events.subject_type'])
    .select(sql<number | null>`coalesce(events.subject_id, events.ticket_id)`.as('subject_id'))
    .select(['events.ticket_id', 'events.client_id', 'events.department_id'])
    .select(['events.actor_type', 'events.actor_id', 'events.actor_name'])
    .select(['events.before', 'events.after', 'events.request_id'])
    .orderBy('event_places.place')
}
