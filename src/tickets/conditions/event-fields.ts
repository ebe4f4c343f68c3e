import { csatEvents } from '../../core/events/catalogue/csat-events.ts'
import { slaEvents } from '../../core/events/catalogue/sla-events.ts'
import { ticketEvents } from '../../core/events/catalogue/ticket-events.ts'
import type { EventKind } from '../../core/events/catalogue.ts'
import { ratings } from '../../core/tables/csat.ts'
import { channels } from './channel.ts'
import { type ConditionField, fieldNamed } from './fields.ts'

/** A field of the event that a rule judges: it is not of the ticket, and no query asks for it. */
export type EventField = Pick<ConditionField, 'kind' | 'label' | 'options' | 'names'>

/** After these a ticket is gone, in the trash or part of another one, so that no rule could change it. */
const lastKinds: readonly EventKind[] = ['ticket.deleted', 'ticket.purged', 'ticket.merged']

/** The kinds of events of a ticket by which rules may be set off. */
export const rulesMayFollow = [ticketEvents, slaEvents, csatEvents]
  .flatMap(Object.keys)
  .filter(kind => !lastKinds.includes(kind as EventKind)) as readonly EventKind[]

/** What a rule follows: an event of a ticket, or an e-mail that arrives, before it is one. */
export type Followed = EventKind | typeof mailReceived
export const mailReceived = 'mail.received'

/** Who did it: a person, a rule, or the system for another reason. */
const eventActors = ['client', 'staff', 'rule', 'system'] as const

const ofEvents: Record<string, EventField> = {
  'event.kind': { kind: 'select', label: 'the kind of the event', options: rulesMayFollow },
  'event.actor': { kind: 'select', label: 'who did it', options: eventActors },
  'event.after.rating': { kind: 'select', label: 'the rating of the client', options: ratings },
  'event.channel': { kind: 'select', label: 'how the message of the event came', options: channels },
  'event.message': { kind: 'text', label: 'the text of the message of the event' },
  'event.message_words': { kind: 'number', label: 'how many words the message of the event has' },
  'event.status_days': {
    kind: 'number',
    label: 'for how many days the ticket had had its status when the event came, in parts of a day too'
  },
  'event.open_calendars': {
    kind: 'ids',
    label: 'the calendars that are open when it happens, by id',
    names: 'calendar'
  }
}

/** What an e-mail that arrives says. */
const ofMails: Record<string, EventField> = {
  'event.sender': { kind: 'text', label: 'the address of the sender of an e-mail that arrives' },
  'event.recipient': { kind: 'text', label: 'the address to which it was sent' },
  'event.subject': { kind: 'text', label: 'the subject of the e-mail' },
  'event.size': { kind: 'number', label: 'the size of the e-mail in bytes' },
  'event.verdict': {
    kind: 'select',
    label: 'how sure it is who wrote the e-mail',
    options: ['pass', 'fail', 'none', 'unknown']
  },
  'event.spam_score': { kind: 'number', label: 'the spam score of the e-mail, by the filter in front of the desk' }
}

const mailHeader = /^event\.headers\.[a-z0-9][a-z0-9-]{0,79}$/

/** Whether only an e-mail that arrives has this field. */
export function isMailField(name: string): boolean {
  return Object.hasOwn(ofMails, name) || mailHeader.test(name)
}

/** The fields of tickets that events tell before and after. */
const told = ['status', 'priority', 'department_id', 'assigned_staff_id', 'tags', 'subject'] as const
const custom = /^f\d{1,15}$/

/** The field of an event with this name, if there is one: `event.kind`, `event.before.priority`. */
export function eventFieldNamed(name: string): EventField | undefined {
  if (Object.hasOwn(ofEvents, name)) return ofEvents[name]
  if (Object.hasOwn(ofMails, name)) return ofMails[name]
  if (mailHeader.test(name)) return { kind: 'text', label: 'a header of an e-mail that arrives' }
  const [, at, field] = /^event\.(before|after)\.(\w+)$/.exec(name) ?? []
  if (!field || !((told as readonly string[]).includes(field) || custom.test(field))) return undefined
  const ofTicket = fieldNamed(field)
  if (!ofTicket) return undefined
  const { kind, label, options, names } = ofTicket
  return {
    kind,
    label: `${label}, ${at} the event`,
    ...(options && { options }),
    ...(names && { names })
  }
}

/** All of them, with what they mean, as the API documents them. */
export const eventFields: readonly (readonly [string, EventField])[] = [
  ...Object.keys(ofEvents),
  ...Object.keys(ofMails),
  'event.headers.x-name',
  ...(['before', 'after'] as const).flatMap(at => told.map(field => `event.${at}.${field}`))
].map(name => [name, eventFieldNamed(name)!])
