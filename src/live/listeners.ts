import type { Actor, StaffActor } from '../actor.ts'
import type { DeskEvent } from '../events/event.ts'
import { type EventStream, eventText } from '../kit/event-stream.ts'
import { jsonText } from '../kit/json-text.ts'
import { otherTicketsNamed } from '../threads/merge-events.ts'
import { sees, type TicketAtHand } from '../tickets/seen-by.ts'
import { type EventView, eventFor, readersSight, StreamedEvent } from './event-view.ts'
import { PresenceView } from './presence.ts'
import type { Wanted } from './scan-events.ts'
import type { StreamRow } from './stream-rows.ts'

/** Somebody who listens to a stream of this process. */
export interface Listener {
  readonly row: StreamRow
  /** As they were when they began: who they are now is looked up whenever they are told something. */
  readonly actor: Actor
  readonly session: number
  readonly wanted: Wanted
  readonly stream: EventStream
  /** The token with which they came is over then. */
  readonly endsAt: number
  /** The last event that was considered for them. */
  position: number
  /** They have caught up with the log, and are told what comes as it comes. */
  isLive: boolean
  /** They have been told who is at which ticket, and from then on what changes. */
  knowsPresence: boolean
}

type Tickets = ReadonlyMap<number, TicketAtHand>

/** The texts of events that read the same for several listeners. */
export type Texts = Map<number, string>

const eventJson = jsonText<EventView>(StreamedEvent)
const presenceJson = jsonText<PresenceView>(PresenceView)

/** Tells somebody of the events that they want and may read of as `actor`, who they are now. */
export function tellEvents(
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

/** Tells somebody of events that were chosen for them, as far as there is room, and moves their position to the last of them. Answers whether it was all. */
export function tellViews(listener: Listener, views: readonly EventView[]): boolean {
  for (const view of views) {
    if (!listener.stream.hasRoom) return false
    listener.stream.send(textOf(view))
    listener.position = view.id
  }
  return true
}

/** Tells a member of staff who is at a ticket, where they see it. */
export function tellPresence(
  { stream, wanted }: Listener,
  actor: StaffActor,
  view: PresenceView,
  tickets: Tickets
): void {
  const ticket = tickets.get(view.ticket_id)
  const isMeant = wanted.ticketId === undefined || wanted.ticketId === view.ticket_id
  if (!isMeant || !ticket || !sees(readersSight(actor), ticket)) return
  // The view goes to several, and the text adds to it.
  stream.send(eventText({ event: 'presence', data: presenceJson(structuredClone(view)) }))
}

/** Whether somebody is told who is at which ticket: staff, unless they have named the kinds of events that they want. */
export function wantsPresence({ actor, wanted }: Listener): boolean {
  return actor.population === 'staff' && wanted.kinds === undefined
}

function isWanted({ kinds, ticketId }: Wanted, event: DeskEvent): boolean {
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
