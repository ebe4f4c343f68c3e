import type { BodyOf } from '@deskline/client'
import { type Key, t } from '../../../lib/strings.ts'

/** A kind of event that a rule may follow. */
export type TicketEventKind = NonNullable<BodyOf<'/api/admin/rules/create'>['trigger']['events']>[number]

/** The kinds of events of tickets as what happens: "a ticket is opened". Those that rules follow most come first. */
const labels = {
  'ticket.created': 'definition.event.created',
  'mail.received': 'definition.event.mail_received',
  'ticket.replied': 'definition.event.replied',
  'ticket.noted': 'definition.event.noted',
  'ticket.status_changed': 'definition.event.status_changed',
  'ticket.assigned': 'definition.event.assigned',
  'ticket.updated': 'definition.event.updated',
  'ticket.tagged': 'definition.event.tagged',
  'ticket.field_changed': 'definition.event.field_changed',
  'sla.warned': 'definition.event.sla_warned',
  'sla.breached': 'definition.event.sla_breached',
  'conversation.started': 'definition.event.conversation_started',
  'conversation.replied': 'definition.event.conversation_replied',
  'conversation.received': 'definition.event.conversation_received',
  'conversation.updated': 'definition.event.conversation_updated',
  'ticket.snoozed': 'definition.event.snoozed',
  'ticket.woken': 'definition.event.woken',
  'ticket.follower_added': 'definition.event.follower_added',
  'ticket.follower_removed': 'definition.event.follower_removed',
  'ticket.watched': 'definition.event.watched',
  'ticket.unwatched': 'definition.event.unwatched',
  'ticket.client_emailed': 'definition.event.client_emailed',
  'ticket.staff_notified': 'definition.event.staff_notified',
  'ticket.webhook_called': 'definition.event.webhook_called',
  'ticket.timer_removed': 'definition.event.timer_removed',
  'ticket.draft_taken': 'definition.event.draft_taken',
  'ticket.emails_turned_on': 'definition.event.emails_turned_on',
  'ticket.delivery_changed': 'definition.event.delivery_changed',
  'ticket.linked': 'definition.event.linked',
  'ticket.unlinked': 'definition.event.unlinked',
  'ticket.split': 'definition.event.split',
  'ticket.unsplit': 'definition.event.unsplit',
  'ticket.absorbed': 'definition.event.absorbed',
  'ticket.released': 'definition.event.released',
  'ticket.merge_moved': 'definition.event.merge_moved',
  'ticket.unmerged': 'definition.event.unmerged',
  'ticket.restored': 'definition.event.restored',
  'sla.started': 'definition.event.sla_started',
  'sla.paused': 'definition.event.sla_paused',
  'sla.resumed': 'definition.event.sla_resumed',
  'sla.due_changed': 'definition.event.sla_due_changed',
  'sla.breach_lifted': 'definition.event.sla_breach_lifted',
  'sla.met': 'definition.event.sla_met',
  'sla.dropped': 'definition.event.sla_dropped',
  'sla.withdrawn': 'definition.event.sla_withdrawn',
  'csat.rated': 'definition.event.csat_rated',
  'csat.sent': 'definition.event.csat_sent',
  'csat.voided': 'definition.event.csat_voided'
} as const satisfies Record<TicketEventKind, Key>

export const eventsOfTickets = Object.keys(labels) as TicketEventKind[]

export function eventLabel(kind: TicketEventKind): string {
  return t(labels[kind])
}
