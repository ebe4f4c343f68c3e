import type { Actor, StaffActor } from '../../core/actor.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { type EventStream, eventText } from '../../kit/event-stream.ts'
import { serializerFor } from '../../kit/serializer.ts'
import { otherTicketsNamed } from '../../tickets/threads/merge-events.ts'
import { readerVisibility } from '../../tickets/ticket/visibility.ts'
import { canSee, type LoadedTicket } from '../../tickets/ticket/visible-in-memory.ts'
import { type EventView, eventFor, StreamedEvent } from './event-view.ts'
import { ArticlePresenceView, PresenceView } from './presence.ts'
import { mayHearOfTickets } from './readers.ts'
import type { EventFilter } from './scan-events.ts'
import type { StreamRow } from './stream-rows.ts'

/** The listener of a stream of this process. */
export interface Listener {
  readonly row: StreamRow
  /** The actor at the start of the stream; the current one is loaded before each send. */
  readonly actor: Actor
  readonly session: number
  readonly wanted: EventFilter
  readonly stream: EventStream
  /** When the access token or the API token of the request expires, or a new one has to be sent. */
  readonly endsAt: number
  /** The last event that was considered for them. */
  position: number
  /** It has caught up with the log and receives events as they come. */
  isLive: boolean
  /** It has received all presence, and from then on receives the changes. */
  hasPresence: boolean
}

type Tickets = ReadonlyMap<number, LoadedTicket>

/** The serialized events that are the same for several listeners. */
export type Texts = Map<number, string>

const eventJson = serializerFor<EventView>(StreamedEvent)
const presenceJson = serializerFor<PresenceView>(PresenceView)
const articlePresenceJson = serializerFor<ArticlePresenceView>(ArticlePresenceView)

/** Sends a listener the events that it wants and that `actor`, its current actor, may see. */
export function sendEvents(
  listener: Listener,
  actor: Actor,
  events: readonly DeskEvent[],
  tickets: Tickets,
  texts: Texts
): void {
  for (const event of events) {
    if (event.id <= listener.position) continue
    listener.position = event.id
    const view = isWanted(listener.wanted, event) ? eventFor(actor, event, tickets) : undefined
    if (view) listener.stream.send(textFor(actor, event, view, texts))
  }
}

/** Sends a listener the events chosen for it, as far as there is room, and moves its position to the last one. Returns whether all were sent. */
export function sendEventViews(listener: Listener, views: readonly EventView[]): boolean {
  for (const view of views) {
    if (!listener.stream.hasRoom) return false
    listener.stream.send(textOf(view))
    listener.position = view.id
  }
  return true
}

/** Sends a member of staff the presence at a ticket, if they see the ticket. */
export function sendPresence(
  { stream, wanted }: Listener,
  actor: StaffActor,
  view: PresenceView,
  tickets: Tickets
): void {
  const ticket = tickets.get(view.ticket_id)
  const isMeant = wanted.ticketId === undefined || wanted.ticketId === view.ticket_id
  if (!isMeant || !ticket || !mayHearOfTickets(actor) || !canSee(readerVisibility(actor), ticket)) return
  // The view is shared by several listeners, and serializing adds to it.
  stream.send(eventText({ event: 'presence', data: presenceJson(structuredClone(view)) }))
}

/** Sends a member of staff the presence at an article, unless only one ticket is wanted. */
export function sendArticlePresence({ stream, wanted }: Listener, view: ArticlePresenceView): void {
  if (wanted.ticketId !== undefined) return
  stream.send(eventText({ event: 'article_presence', data: articlePresenceJson(structuredClone(view)) }))
}

/** Whether a listener receives presence: staff, unless they have named the kinds of events that they want. */
export function wantsPresence({ actor, wanted }: Listener): boolean {
  return actor.population === 'staff' && wanted.kinds === undefined
}

function isWanted({ kinds, ticketId }: EventFilter, event: DeskEvent): boolean {
  return (!kinds || kinds.includes(event.kind)) && (ticketId === undefined || event.ticket_id === ticketId)
}

function textFor(actor: Actor, event: DeskEvent, view: EventView, texts: Texts): string {
  const isOwn = actor.population === 'client' || otherTicketsNamed(event).length > 0
  const known = isOwn ? undefined : texts.get(event.id)
  if (known !== undefined) return known
  const text = textOf(view)
  if (!isOwn) texts.set(event.id, text)
  return text
}

function textOf(view: EventView): string {
  return eventText({ id: String(view.id), event: view.kind, data: eventJson(view) })
}
