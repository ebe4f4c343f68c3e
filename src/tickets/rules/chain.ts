import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'

/** Where an event stands: the first event of the act with which all began, when that was, and how many runs lie between. */
export interface Chain {
  id: number
  depth: number
  began: Date
}

/** R4: all events of one act share the chain. */
export async function chainOf(db: Db, event: DeskEvent): Promise<Chain> {
  const { cause, id, at, ticket_id, request_id, actor } = event
  if (cause && cause.chain_id !== null) {
    const [first] = await momentOf(db, { place: cause.chain_id })
    return { id: cause.chain_id, depth: cause.depth, began: first?.created_at ?? at }
  }
  const [first] = await firstOfAct(db, {
    ...{ place: id, ticket: ticket_id!, at, request: request_id, type: actor.type, actor: actor.id },
    rule: cause?.rule_id ?? null
  })
  return { id: first?.place ?? id, depth: 0, began: at }
}

const momentOf = prepared((db, p: { place: number }) =>
  db
    .selectFrom('event_places')
    .innerJoin('events', 'events.id', 'event_places.event_id')
    .where('event_places.place', '=', p.place)
    .select('events.created_at')
)

/** An act has one moment, one actor and one request; of timers that are due at once, each rule's act is its own. */
const firstOfAct = prepared(
  (
    db,
    p: {
      place: number
      ticket: number
      at: Date
      request: string | null
      type: DeskEvent['actor']['type']
      actor: number | null
      rule: number | null
    }
  ) =>
    db
      .selectFrom('events')
      .innerJoin('event_places', 'event_places.event_id', 'events.id')
      .where('events.ticket_id', '=', p.ticket)
      .where('events.created_at', '=', p.at)
      .where('event_places.place', '<=', p.place)
      .where('events.actor_type', '=', p.type)
      .where(sql<boolean>`events.actor_id is not distinct from ${p.actor}::bigint`)
      .where(sql<boolean>`events.request_id is not distinct from ${p.request}::text`)
      .where(sql<boolean>`events.cause->>'chain_id' is null`)
      .where(sql<boolean>`(events.cause->>'rule_id')::bigint is not distinct from ${p.rule}::bigint`)
      .select('event_places.place')
      .orderBy('event_places.place')
      .limit(1)
)
