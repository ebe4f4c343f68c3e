import { type Static, Type } from 'typebox'
import type { Actor, ClientActor, StaffActor } from '../../core/actor.ts'
import { ActorToken } from '../../core/audit/actor-token.ts'
import { tokenOfName } from '../../core/audit/audit-actor.ts'
import type { KindOfEvent } from '../../core/events/catalogue/kind-of-event.ts'
import { type EventKind, eventKinds } from '../../core/events/catalogue.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { EventCauseView } from '../../core/events/event-cause.ts'
import { Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import { otherTicketsNamed, withoutInvisible } from '../../tickets/threads/merge-events.ts'
import {
  clientVisibility,
  readerVisibility,
  seesAllTickets,
  type TicketVisibility
} from '../../tickets/ticket/visibility.ts'
import { canSee, type LoadedTicket } from '../../tickets/ticket/visible-in-memory.ts'
import { mayHearOfTickets } from './readers.ts'

export const kinds = Object.keys(eventKinds) as EventKind[]

const Facts = Nullable(Type.Object({}, { additionalProperties: true, examples: [{ status: 'Open' }] }))

/** An event in the feed and the streams: ids and small facts, never the text of a message or note. */
export const StreamedEvent = Type.Object({
  id: Id(4711),
  kind: OneOf(kinds, 'ticket.status_changed'),
  at: Timestamp(),
  subject_type: OutputText('ticket'),
  subject_id: Nullable(Id(7)),
  ticket_id: Nullable(Id(7)),
  client_id: Nullable(Id(3)),
  actor: Type.Object({
    type: OneOf(['client', 'staff', 'system'] as const, 'staff'),
    id: Nullable(Id(2)),
    name: OutputText('Grace Hopper'),
    token: Type.Optional(ActorToken)
  }),
  before: Facts,
  after: Facts,
  cause: Type.Optional(EventCauseView)
})

export type EventView = Static<typeof StreamedEvent>

/** The tickets needed to decide who may see these events. */
export function ticketsOf(events: readonly DeskEvent[]): number[] {
  const ids = events.flatMap(event => [
    ...(event.ticket_id === null ? [] : [event.ticket_id]),
    ...otherTicketsNamed(event)
  ])
  return [...new Set(ids)]
}

type Tickets = ReadonlyMap<number, LoadedTicket>

/** What this person may see of the event now; undefined for nothing. `tickets`: those of `ticketsOf` that still exist. */
export function eventFor(actor: Actor, event: DeskEvent, tickets: Tickets): EventView | undefined {
  return actor.population === 'client' ? eventForClient(actor, event, tickets) : eventForStaff(actor, event, tickets)
}

function eventForStaff(actor: StaffActor, event: DeskEvent, tickets: Tickets): EventView | undefined {
  if (actor.role === 'admin') return viewOf(event, event, tickets)
  // A process of a newer version may write event kinds that this one does not know.
  const readers = eventKinds[event.kind]?.readers
  if (readers === 'desk') return seesAllTickets(actor) ? viewOf(event, event, tickets) : undefined
  if (readers === 'any staff') return viewOf(event, event, tickets)
  const ticket = mayHearOfTickets(actor) ? ticketOf(event, tickets) : undefined
  if (!ticket || readers === undefined || readers === 'admin') return undefined
  const visibility = readerVisibility(actor)
  if (!canSee(visibility, ticket)) return undefined
  return viewOf(event, withoutInvisible(event, isSeenBy(visibility, tickets)), tickets)
}

function eventForClient(actor: ClientActor, event: DeskEvent, tickets: Tickets): EventView | undefined {
  const ticket = ticketOf(event, tickets)
  const shown = factsForClients(event.kind)
  if (!ticket || !shown) return undefined
  const visibility = clientVisibility(actor)
  if (!canSee(visibility, ticket) || isOfWithheldMessage(event, ticket)) return undefined
  const { before, after } = withoutInvisible(event, isSeenBy(visibility, tickets))
  const told = { before: onlyThese(shown, before), after: onlyThese(shown, after) }
  const { cause: _, ...view } = viewOf(event, told, tickets)
  // In the rest of the API clients see the names of staff, but not their ids.
  return view.actor.type === 'client' ? view : { ...view, actor: { ...view.actor, id: null } }
}

function isOfWithheldMessage({ after }: DeskEvent, { withheld_messages }: LoadedTicket): boolean {
  const message = after && 'message_id' in after ? after.message_id : undefined
  return withheld_messages.some(id => id === message)
}

function ticketOf({ ticket_id: id }: DeskEvent, tickets: Tickets): LoadedTicket | undefined {
  return id === null ? undefined : tickets.get(id)
}

function isSeenBy(visibility: TicketVisibility, tickets: Tickets): (id: number) => boolean {
  return id => {
    const ticket = tickets.get(id)
    return ticket !== undefined && canSee(visibility, ticket)
  }
}

/** The facts that clients may see too; nothing for kinds that they may not read. */
function factsForClients(kind: EventKind): readonly string[] | undefined {
  const known = eventKinds[kind] as KindOfEvent | undefined
  return known?.readers === 'client' ? (known.toClients ?? []) : undefined
}

export const kindsForClients = kinds.filter(kind => factsForClients(kind) !== undefined)

function onlyThese(names: readonly string[], facts: object | null): object | null {
  return facts && Object.fromEntries(Object.entries(facts).filter(([name]) => names.includes(name)))
}

function viewOf(
  event: DeskEvent,
  { before, after }: { before: object | null; after: object | null },
  tickets: Tickets
): EventView {
  const { id, kind, at, subject_type, subject_id, ticket_id, actor } = event
  const token = tokenOfName(actor.name)
  return {
    id,
    kind,
    at: timestamp(at),
    subject_type,
    subject_id,
    ticket_id,
    client_id: event.client_id ?? ticketOf(event, tickets)?.client_id ?? null,
    actor: { ...actor, ...(token === null ? {} : { token }) },
    before,
    after,
    ...(event.cause ? { cause: event.cause } : {})
  } as EventView
}
