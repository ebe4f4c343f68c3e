import { type CustomField, type FieldValue, fieldValueText } from '../../app/custom-fields/custom-field.ts'
import { type Key, t } from '../../lib/strings.ts'
import { comingTimeInText, instantOf, listText, timeInText } from '../../lib/times.ts'
import { priorityLabel, statusLabel } from '../../ui/status-icon.tsx'
import { actorText } from '../actor-text.ts'
import type { SnoozeKind } from '../snooze/snooze-choice.ts'
import type { LinkKind } from './change-links.ts'
import { waitingText } from './snooze-banner.tsx'

import type { Priority, Status, TicketEvent } from './thread-types.ts'

interface Facts {
  follower?: { name: string; email: string }
  status?: Status
  priority?: Priority
  subject?: string
  department_id?: number
  assigned_staff_id?: number | null
  tags?: string[]
  merged_into?: { ticket_number: string } | null
  merged?: { ticket_number: string }
  by?: string
  rating?: 'good' | 'bad'
  until?: string | null
  kind?: SnoozeKind
  reason?: string
  staff_id?: number | null
  staff_ids?: number[]
  cause?: string
  link?: LinkKind
  direction?: 'out' | 'in'
  other?: NamedTicket | null
  split_into?: NamedTicket | null
  split_from?: NamedTicket | null
  ticket_number?: string
  messages?: { received_at: string }[]
  field_id?: number
  rule_name?: string
  value?: FieldValue | null
}

/** Another ticket, as an event names it. */
export interface NamedTicket {
  id: number
  ticket_number: string
}

interface DueFacts {
  metric?: keyof typeof promised
  from?: string | null
  to?: string | null
  due_at?: string | null
}

/** The names of ids, if known. */
export interface Names {
  staff(id: number): string | undefined
  department(deptid: number): string | undefined
  field(id: number): CustomField | undefined
  me: number
}

/** How another ticket is named in a sentence; null: this person does not see it. */
type TicketText = (ticket: NamedTicket | null) => string

const numberOf: TicketText = ticket => ticket?.ticket_number ?? t('thread.unseenTicket')

/** The other ticket that a link or a split is about. */
export function otherTicketOf({ before, after }: TicketEvent): NamedTicket | null {
  const facts = { ...before, ...after } as Facts
  return facts.other ?? facts.split_into ?? facts.split_from ?? null
}

/** An event as a sentence: "Mira set the status to In progress and took the ticket". */
export function eventSentence(event: TicketEvent, names: Names, ticketText: TicketText = numberOf): string {
  const { kind } = event
  const [before, after] = [(event.before ?? {}) as Facts, (event.after ?? {}) as Facts]
  const who = event.actor_type === 'system' ? t('thread.system') : actorText(event, 'thread.byToken')
  switch (kind) {
    case 'ticket.status_changed':
    case 'ticket.replied':
      return after.status ? t('thread.eventStatus', { who, status: statusLabel(after.status) }) : otherwise(who)
    case 'ticket.assigned':
      return assigned(event, who, after, names)
    case 'ticket.updated':
      return updated(who, before, after, names)
    case 'ticket.tagged':
      return tagged(who, before.tags ?? [], after.tags ?? [])
    case 'ticket.field_changed':
      return fieldChanged(who, after, names)
    case 'ticket.snoozed':
      return snoozed(who, after)
    case 'ticket.woken':
      return woken(event, who, before, after, names)
    case 'ticket.deleted':
      return t('thread.eventTrashed', { who })
    case 'ticket.restored':
      return t('thread.eventRestored', { who })
    case 'ticket.merged':
      return t('thread.eventMerged', { who, number: after.merged_into?.ticket_number ?? '' })
    case 'ticket.unmerged':
      return t('thread.eventUnmerged', { who })
    case 'ticket.follower_added':
      return t('thread.eventFollowerAdded', { who, person: after.follower?.name || after.follower?.email || '' })
    case 'ticket.follower_removed':
      return t('thread.eventFollowerRemoved', { who, person: before.follower?.name || before.follower?.email || '' })
    case 'ticket.client_emailed':
      return t('thread.eventClientEmailed', { who })
    case 'ticket.staff_notified': {
      const people = (after.staff_ids ?? []).map(id => names.staff(id) ?? t('thread.aColleague'))
      return t('thread.eventStaffNotified', { who, people: listText(people) })
    }
    case 'ticket.webhook_called':
      return t('thread.eventWebhookCalled', { who })
    case 'ticket.timer_removed':
      return t('thread.eventTimerRemoved', { who, rule: before.rule_name ?? '' })
    case 'ticket.draft_taken':
      return t('thread.eventDraftTaken', { who, whom: names.staff(after.staff_id ?? 0) ?? t('thread.aColleague') })
    case 'ticket.emails_turned_on':
      return t('thread.eventEmailsTurnedOn', { who })
    case 'ticket.watched':
      if (!after.staff_id) return otherwise(who)
      return t('thread.eventMadeWatch', { who, whom: names.staff(after.staff_id) ?? t('thread.aColleague') })
    case 'ticket.absorbed':
      return t('thread.eventAbsorbed', { who, number: after.merged?.ticket_number ?? '' })
    case 'ticket.released':
      return t('thread.eventReleased', { who, number: before.merged?.ticket_number ?? '' })
    case 'ticket.linked':
      if (!after.link || !after.direction) return otherwise(who)
      return t(`links.event.${after.link}.${after.direction}`, { who, ticket: ticketText(otherTicketOf(event)) })
    case 'ticket.unlinked':
      return t('links.eventUnlinked', { who, ticket: ticketText(otherTicketOf(event)) })
    case 'ticket.split':
      return split(who, after, ticketText(otherTicketOf(event)))
    case 'ticket.unsplit':
      return t('links.eventUnsplit', {
        who,
        count: after.messages?.length ?? 0,
        ticket: before.ticket_number ?? t('thread.unseenTicket')
      })
    case 'conversation.started':
      return t('side.eventStarted', { who })
    case 'conversation.replied':
      return t('side.eventReplied', { who })
    case 'conversation.received':
      return t('side.eventReceived')
    case 'conversation.updated':
      return t('side.eventUpdated', { who })
    case 'sla.due_changed':
    case 'sla.breached':
    case 'sla.breach_lifted':
    case 'sla.withdrawn':
      return dueSentence(kind, (after ?? {}) as DueFacts)
    case 'csat.sent':
      return t('thread.eventAsked')
    case 'csat.voided':
      return after.reason
        ? t('thread.eventNotAsked', { reason: t(`thread.notAsked.${after.reason}` as Key) })
        : otherwise(who)
    case 'csat.rated':
      return t(after.rating === 'good' ? 'thread.eventRatedGood' : 'thread.eventRatedBad', { who })
    default:
      return otherwise(who)
  }
}

/** As many times of messages as a line holds. */
const mostTimes = 3

function split(who: string, { messages = [], split_from }: Facts, ticket: string): string {
  const said = { who, count: messages.length, ticket }
  if (split_from !== undefined) return t('links.eventSplitFrom', said)
  if (messages.length > mostTimes) return t('links.eventSplitInto', said)
  const times = listText(messages.map(({ received_at }) => timeInText(instantOf(received_at))))
  return t('links.eventSplitIntoOf', { ...said, times })
}

/** Whether the event is about a snooze: its beginning or its end. */
export function snoozeOfEvent({ kind }: TicketEvent): 'snoozed' | 'woken' | undefined {
  if (kind === 'ticket.snoozed') return 'snoozed'
  return kind === 'ticket.woken' ? 'woken' : undefined
}

function snoozed(who: string, { until, kind = 'own' }: Facts): string {
  if (!until) return t('thread.eventSnoozedUntilReply', { who, kind })
  const values = { who, until: comingTimeInText(instantOf(until)) }
  return kind === 'own' ? t('thread.eventSnoozed', values) : t(`thread.eventSnoozedFor_${kind}`, values)
}

/** "Back since 09:00, as Mira asked. Waiting for somebody else: Huawei, part 4417" */
function woken({ created_at }: TicketEvent, who: string, before: Facts, { cause }: Facts, names: Names): string {
  const { kind = 'own', reason = '', staff_id } = before
  if (cause !== 'time') return t('thread.eventWoken', { who, cause: cause ?? '' })
  const asker = staff_id ? names.staff(staff_id) : undefined
  const values = { time: timeInText(instantOf(created_at)), asker: asker?.split(' ')[0] ?? '' }
  const since = asker ? t('thread.eventBackAsAsked', values) : t('thread.eventBack', values)
  return [`${since}.`, waitingText({ kind, reason })].join(' ').trim()
}

/** The status whose icon the event line shows. */
export function statusOfEvent({ after }: TicketEvent): Status | undefined {
  return (after as Facts | null)?.status
}

function assigned({ actor_id }: TicketEvent, who: string, { assigned_staff_id: id, status }: Facts, names: Names) {
  const whom = id ? (names.staff(id) ?? t('thread.aColleague')) : ''
  const key = id === null || id === undefined ? 'Freed' : id === actor_id ? 'Took' : 'Assigned'
  if (!status) return t(`thread.event${key}`, { who, whom })
  return t(`thread.event${key}AndStatus`, { who, whom, status: statusLabel(status) })
}

function updated(who: string, before: Facts, after: Facts, names: Names): string {
  const said = [
    after.priority && t('thread.eventPriority', { who, priority: priorityLabel(after.priority) }),
    after.subject && t('thread.eventSubject', { who, before: before.subject ?? '' }),
    after.department_id &&
      t('thread.eventDepartment', {
        who,
        department: names.department(after.department_id) ?? t('thread.anotherDepartment')
      })
  ].filter(Boolean)
  return said.length > 0 ? said.join(' ') : otherwise(who)
}

function tagged(who: string, before: string[], after: string[]): string {
  const added = after.filter(tag => !before.includes(tag))
  const removed = before.filter(tag => !after.includes(tag))
  const list = (tags: string[]) => tags.join(', ')
  if (removed.length === 0) return t('thread.eventTagged', { who, tags: list(added) })
  if (added.length === 0) return t('thread.eventUntagged', { who, tags: list(removed) })
  return t('thread.eventRetagged', { who, added: list(added), removed: list(removed) })
}

/** "Mira set Product to Storage S4"; the words of a long text are in no event. */
function fieldChanged(who: string, { field_id, value, by }: Facts, names: Names): string {
  const field = names.field(field_id ?? 0)
  const said = { who, field: field?.label ?? t('thread.aField') }
  if (by === 'merge') return t('thread.eventFieldMerged', said)
  if (value === null) return t('thread.eventFieldCleared', said)
  if (value === undefined || !field) return t('thread.eventFieldChanged', said)
  return t('thread.eventFieldSet', { ...said, value: fieldValueText(field, value) })
}

const promised = {
  first_response: 'thread.theFirstReply',
  next_response: 'thread.theNextReply',
  resolution: 'thread.theSolution'
} as const

/** "The next reply is due at 14:50, not at 16:50." */
function dueSentence(kind: string, { metric, from, to, due_at }: DueFacts): string {
  const what = metric ? t(promised[metric]) : ''
  const timeOf = (at: string | null | undefined) => (at ? timeInText(instantOf(at)) : t('thread.never'))
  switch (kind) {
    case 'sla.due_changed':
      return from
        ? t('thread.eventDueMoved', { what, to: timeOf(to), from: timeOf(from) })
        : t('thread.eventDue', { what, to: timeOf(to) })
    case 'sla.breached':
      return t('thread.eventBreached', { what, due: timeOf(due_at) })
    case 'sla.breach_lifted':
      return t('thread.eventBreachLifted', { what, due: timeOf(due_at) })
    default:
      return t('thread.eventWithdrawn')
  }
}

function otherwise(who: string): string {
  return t('thread.eventOther', { who })
}
