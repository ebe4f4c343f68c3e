import type { EventFacts, EventKind } from '../../core/events/catalogue.ts'
import type { ActorType } from '../../core/tables/columns.ts'
import type { Absorbed } from '../../core/tables/sla-clocks.ts'
import type { SlaFacts, TicketClocks, TimelineChange } from './clock-types.ts'
import { ownWait } from './ticket-clocks.ts'

/** An event of a ticket, by its kind with what it carries. */
export type TicketEvent = EventFacts & { at: Date; actor: { type: ActorType } }

/** What is known of another ticket that an event names. */
export type OtherTicket = (ticketId: number) => TicketClocks | undefined

/** The kinds that change a clock. */
export const timelineKinds = [
  'ticket.created',
  'ticket.replied',
  'ticket.status_changed',
  'ticket.assigned',
  'ticket.updated',
  'ticket.tagged',
  'ticket.field_changed',
  'ticket.merged',
  'ticket.unmerged',
  'ticket.absorbed',
  'ticket.released',
  'ticket.split',
  'ticket.unsplit',
  'ticket.snoozed',
  'ticket.woken',
  'ticket.deleted',
  'ticket.restored'
] as const satisfies readonly EventKind[]

/** What an event means for the clocks of its ticket; undefined for nothing. */
export function changeOf(event: TicketEvent, other: OtherTicket): TimelineChange | undefined {
  if (isForgotten(event)) return undefined
  switch (event.kind) {
    case 'ticket.created': {
      const { status, priority, department_id, message_id, sender_type, received_at } = event.after
      const { assigned_staff_id = null } = event.after
      const facts: SlaFacts = { status, priority, department_id, assigned_staff_id }
      // What waits in a ticket that was split off, the next event says.
      if (event.after.is_split) return { what: 'opened', facts, unanswered: [], hasAnswer: true }
      const isWaiting = sender_type === 'client' || event.after.client_waits === true
      return {
        what: 'opened',
        facts,
        unanswered: isWaiting ? [[message_id, Date.parse(received_at)]] : [],
        hasAnswer: !isWaiting
      }
    }
    case 'ticket.replied': {
      const { status, message_id, sender_type, received_at } = event.after
      const from = sender_type === 'client' ? 'client' : event.actor.type === 'staff' ? 'person' : 'system'
      return { what: 'message', from, messageId: message_id, receivedAt: Date.parse(received_at), status }
    }
    case 'ticket.status_changed':
      return { what: 'changed', facts: { status: event.after.status } }
    case 'ticket.assigned':
    case 'ticket.updated':
      return changed(event.after)
    case 'ticket.tagged':
      return { what: 'changed', facts: {}, touches: ['tags'] }
    case 'ticket.field_changed':
      return { what: 'changed', facts: {}, touches: [`f${event.after.field_id}`] }
    case 'ticket.merged':
      return { what: 'merged' }
    case 'ticket.unmerged': {
      const { status, brought_along: parts } = event.after
      return { what: 'unmerged', status, ...(parts && { parts }) }
    }
    case 'ticket.absorbed': {
      const source = event.after.merged?.id
      return source === undefined ? undefined : { what: 'absorbed', waiting: waitingIn(source, event.at, other) }
    }
    case 'ticket.released': {
      const { merged, brought_along: parts } = event.before
      if (!merged) return undefined
      // Older events do not say what has left with it: then it is what had been merged into it when it was merged itself.
      const tickets = parts ? [merged.id, ...parts] : Object.keys(waitingIn(merged.id, event.at, other)).map(Number)
      return { what: 'released', tickets }
    }
    case 'ticket.split':
      return event.after.split_from === undefined
        ? { what: 'split', messages: event.after.messages.map(({ message_id }) => message_id) }
        : waitingAfterSplit(event, other)
    case 'ticket.unsplit':
      return { what: 'unsplit', messages: event.after.messages.map(({ message_id }) => message_id) }
    case 'ticket.snoozed':
      return { what: 'snoozed' }
    case 'ticket.woken':
      return { what: 'woken' }
    case 'ticket.deleted':
      return { what: 'trashed' }
    case 'ticket.restored':
      return { what: 'restored' }
    default:
      return undefined
  }
}

type Changed = Partial<SlaFacts> & { subject?: string; by?: 'undo'; undo_of?: number }

/** What was changed; the subject is words of people, of which no more is kept than that it is another one. */
function changed({ by: _, undo_of: __, ...after }: Changed): TimelineChange {
  const { subject, ...facts } = after
  return { what: 'changed', facts, ...(subject === undefined ? {} : { touches: ['subject'] }) }
}

/** What waits for an answer in a ticket that is merged, and in those that were merged into it. */
function waitingIn(source: number, at: Date, other: OtherTicket): Record<number, Absorbed> {
  const state = other(source)
  const own: Absorbed = { waitsSince: state ? ownWait(state) : null, mergedAt: at.getTime() }
  return { ...state?.absorbed, [source]: own }
}

/** S14: what came after the last answer that went along waits: since it was received or, if it had been answered where it was, since the split. */
function waitingAfterSplit(event: TicketEvent & { kind: 'ticket.split' }, other: OtherTicket): TimelineChange {
  const { messages, split_from } = event.after
  const source = split_from && other(split_from.id)
  const known = new Map([...(source?.unanswered ?? []), ...(source?.splitOff ?? [])])
  const waiting = messages.slice(messages.findLastIndex(({ sender_type }) => sender_type !== 'client') + 1)
  return {
    what: 'split_from',
    unanswered: waiting.map(({ message_id: id }) => [id, known.get(id) ?? event.at.getTime()]),
    hasAnswer: waiting.length < messages.length
  }
}

/** The other ticket that an event names and whose clocks count for those of its ticket. */
export function ticketsNamed(event: TicketEvent): number[] {
  if (isForgotten(event)) return []
  if (event.kind === 'ticket.absorbed') return idOf(event.after.merged)
  if (event.kind === 'ticket.split') return idOf(event.after.split_from ?? null)
  return event.kind === 'ticket.released' ? idOf(event.before.merged) : []
}

const withoutFacts: ReadonlySet<EventKind> = new Set([
  ...(['ticket.merged', 'ticket.deleted', 'ticket.restored', 'ticket.snoozed', 'ticket.woken'] as const)
])

/** Whether an event has lost its facts with its ticket, which was removed: it means nothing any more. Numbers and a few words are kept. */
function isForgotten({ kind, before, after }: { kind: EventKind; before: unknown; after: unknown }): boolean {
  if (withoutFacts.has(kind)) return false
  const facts = (kind === 'ticket.released' ? before : after) as { messages?: unknown } | null
  const needsMessages = kind === 'ticket.split' || kind === 'ticket.unsplit'
  return facts === null || (needsMessages && facts.messages === undefined)
}

function idOf(ticket: { id: number } | null): number[] {
  return ticket ? [ticket.id] : []
}
