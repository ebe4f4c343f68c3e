import type { Static, TSchema } from 'typebox'
import type { ActorType } from '../tables/columns.ts'
import { articleEvents } from './catalogue/article-events.ts'
import { csatEvents } from './catalogue/csat-events.ts'
import { deskEvents } from './catalogue/desk-events.ts'
import { outsideEvents } from './catalogue/outside-events.ts'
import { peopleEvents } from './catalogue/people-events.ts'
import { slaEvents } from './catalogue/sla-events.ts'
import { ticketEvents } from './catalogue/ticket-events.ts'

/**
 * Every kind of event: who may read it, and the schema of what it carries. The type of `act.happened`, the feed, streams, webhooks, OpenAPI,
 * the client library and docs/event-kinds.md follow from it.
 */
export const eventKinds = {
  ...ticketEvents,
  ...slaEvents,
  ...csatEvents,
  ...peopleEvents,
  ...deskEvents,
  ...articleEvents,
  ...outsideEvents
}

type Kinds = typeof eventKinds
export type EventKind = keyof Kinds

/** What an event of this kind carries of the time before, or after; null if nothing. */
type FactsOf<K extends EventKind, At extends 'before' | 'after'> =
  Kinds[K] extends Record<At, infer S extends TSchema> ? Static<S> : null

/** An event's kind with what it carries: `kind` tells these apart. */
export type EventFacts = {
  [K in EventKind]: { kind: K; before: FactsOf<K, 'before'>; after: FactsOf<K, 'after'> }
}[EventKind]

type Given<At extends 'before' | 'after', F> = null extends F ? { [A in At]?: F | undefined } : { [A in At]: F }

/** The same as it is recorded: null may be left out. */
export type NewEventFacts = {
  [K in EventKind]: { kind: K } & Given<'before', FactsOf<K, 'before'>> & Given<'after', FactsOf<K, 'after'>>
}[EventKind]

/** What events of one of these kinds carry. */
export type EventOf<K extends EventKind> = Extract<EventFacts, { kind: K }>

/** Whether events of this kind can cause an e-mail notification. */
export function mayNotify(kind: EventKind): boolean {
  return 'notifies' in eventKinds[kind]
}

/** Whether it is in the audit log, for this type of actor. */
export function isAudited(kind: EventKind, actorType: ActorType): boolean {
  const { audited } = eventKinds[kind]
  return audited === 'by staff' ? actorType !== 'client' : audited === 'always'
}
