import type { TicketFactTable } from '../../core/tables/reports.ts'
import type { SlaOutcome } from '../../core/tables/sla-clocks.ts'
import type { SlaMetric } from '../../core/tables/sla-policies.ts'
import type { TicketPriority, TicketStatus } from '../../core/tables/tickets.ts'

/** What is counted of a ticket, but for what the ticket is now. */
export type Counted = Pick<TicketFactTable, 'figure' | 'at' | 'value' | 'seconds' | 'open_seconds' | 'staff_id'>

/** A ticket with all that happened to it. */
export interface Timeline {
  ticket: {
    id: number
    created_at: Date
    closed_at: Date | null
    status: TicketStatus
    department_id: number
    priority: TicketPriority
    channel: string
    organisation_id: number | null
    tag_ids: number[] | null
    /** In the trash, or merged into another ticket. */
    is_out: boolean
  }
  /** In order. */
  events: readonly TimelineEvent[]
  clocks: readonly TimelineClock[]
  surveys: readonly TimelineSurvey[]
  /** Those of a ticket that is older than the log, and has no event of its opening; otherwise none. */
  messages: readonly TimelineMessage[]
  /** Who wrote the messages that came from another ticket, by the events there. */
  authors: ReadonlyMap<number, TimelineEvent>
}

export interface TimelineEvent {
  id: number
  ticket_id: number
  kind: string
  at: Date
  actor_type: string
  actor_id: number | null
  before: EventFacts | null
  after: EventFacts | null
}

interface EventFacts {
  status?: TicketStatus
  assigned_staff_id?: number | null
  message_id?: number
  sender_type?: 'client' | 'support' | 'admin'
  received_at?: string
  is_split?: boolean
  messages?: { message_id: number; sender_type: 'client' | 'support' | 'admin'; received_at: string }[]
  split_from?: { id: number } | null
  metric?: SlaMetric
  undo_of?: number
}

export interface TimelineClock {
  metric: SlaMetric
  due_at: Date | null
  breached_at: Date | null
  ended_at: Date | null
  ended_by: number | null
  outcome: SlaOutcome | null
}

interface TimelineSurvey {
  sent_at: Date | null
  rating: 'good' | 'bad' | null
  rated_at: Date | null
  credited_staff_id: number | null
}

export interface TimelineMessage {
  at: Date
  is_of_client: boolean
  staff_id: number | null
}

/** The open milliseconds between two instants, by the default calendar. */
export type OpenBetween = (from: Date, to: Date) => number

/** The kinds of events that change what is counted of their ticket, beside those of SLA clocks. */
export const countedKinds = [
  ...(['ticket.created', 'ticket.replied', 'ticket.status_changed', 'ticket.assigned', 'ticket.updated'] as const),
  ...(['ticket.unmerged', 'ticket.split', 'ticket.unsplit', 'sla.breach_lifted'] as const),
  // Of a ticket that was taken out again, only who merged it: that ended its clocks.
  'ticket.merged' as const
] as const

interface Course {
  counted: Counted[]
  openBetween: OpenBetween
  openedAt: Date
  isOpen: boolean
  assignee: number | null
  assignees: { since: Date; staff: number | null }[]
  /** Since when the client waits for the first answer; null: not at all. */
  waitsSince: Date | null
  hasAnswer: boolean
  lastClose: { at: Date; staff: number | null } | null
}

/**
 * All that reports count of a ticket, in order. It depends on nothing but the arguments, so that it is the same however often and whenever it is
 * counted. Tickets in the trash and merged ones count nothing (N1).
 */
export function countTicket(timeline: Timeline, openBetween: OpenBetween): Counted[] {
  const { ticket, clocks, surveys } = timeline
  if (ticket.is_out) return []
  const events = withoutUndone(timeline.events)
  const course: Course = {
    ...{ counted: [], openBetween, openedAt: ticket.created_at, isOpen: false, assignee: null, assignees: [] },
    ...{ waitsSince: null, hasAnswer: false, lastClose: null }
  }
  const ofItself = events.filter(({ kind }) => kind !== 'ticket.merged')
  const opening = ofItself.find(({ kind }) => kind === 'ticket.created')
  if (opening) followEvents(course, timeline, ofItself, opening)
  else followMessages(course, timeline, ofItself)
  if (course.lastClose) measure(course, 'resolution', ticket.created_at, course.lastClose.at, course.lastClose.staff)
  for (const event of events) {
    if (event.kind !== 'sla.breach_lifted' || !event.after?.metric) continue
    count(course, `${event.after.metric}.lifted`, event.at, assigneeAt(course, event.at))
  }
  for (const clock of clocks) countClock(course, clock, events)
  for (const survey of surveys) countSurvey(course, survey)
  return course.counted
}

/** N1: what was undone, and the undoing, never happened. */
function withoutUndone(events: readonly TimelineEvent[]): TimelineEvent[] {
  const undone = new Set(events.flatMap(({ after }) => after?.undo_of ?? []))
  return events.filter(({ id, after }) => !undone.has(id) && after?.undo_of === undefined)
}

function followEvents(course: Course, timeline: Timeline, events: readonly TimelineEvent[], opening: TimelineEvent) {
  const gone = messagesAway(events)
  begin(course, opening)
  for (const event of events) follow(course, timeline, event, gone)
}

/** The messages that were split off: as if they had been written in the other ticket. */
function messagesAway(events: readonly TimelineEvent[]): Set<number> {
  const gone = new Set<number>()
  for (const { kind, after } of events) {
    if (kind === 'ticket.split' && !after?.split_from)
      for (const { message_id } of after?.messages ?? []) gone.add(message_id)
    if (kind === 'ticket.unsplit') for (const { message_id } of after?.messages ?? []) gone.delete(message_id)
  }
  return gone
}

function begin(course: Course, opening: TimelineEvent): void {
  const by = personOf(opening)
  course.isOpen = true
  count(course, 'opened', course.openedAt, by)
  count(course, 'open', course.openedAt, null)
  course.assignees.push({ since: course.openedAt, staff: null })
  // N2: a ticket that staff opened has no first response, and its first message is no reply.
  if (!opening.after?.is_split) course.hasAnswer = opening.after?.sender_type !== 'client'
}

function follow(course: Course, { authors }: Timeline, event: TimelineEvent, gone: ReadonlySet<number>): void {
  const { kind, after, at } = event
  if (kind === 'ticket.split' && after?.split_from) {
    for (const message of after.messages ?? []) {
      const author = authors.get(message.message_id)
      const isReply = message.sender_type !== 'client' && author?.kind === 'ticket.replied'
      const receivedAt = new Date(message.received_at)
      if (message.sender_type === 'client') clientWrote(course, receivedAt)
      else if (isReply && personOf(author) !== null) replied(course, receivedAt, personOf(author)!)
    }
    return
  }
  const isHere = after?.message_id === undefined || !gone.has(after.message_id)
  if (kind === 'ticket.replied' && isHere && after?.sender_type !== 'client') {
    const person = personOf(event)
    if (person !== null) replied(course, at, person)
  }
  if (after?.assigned_staff_id !== undefined) assign(course, at, after.assigned_staff_id)
  if (after?.status !== undefined) setStatus(course, event, after.status)
  const isFromClient = (kind === 'ticket.created' && !after?.is_split) || kind === 'ticket.replied'
  if (isFromClient && isHere && after?.sender_type === 'client') clientWrote(course, earlier(after.received_at, at))
}

/** A ticket that is older than the log: its messages are known, and whether it is closed. */
function followMessages(course: Course, timeline: Timeline, events: readonly TimelineEvent[]): void {
  const { ticket, messages } = timeline
  const [first, ...others] = messages
  course.isOpen = true
  course.assignees.push({ since: course.openedAt, staff: null })
  count(course, 'opened', course.openedAt, first && !first.is_of_client ? first.staff_id : null)
  count(course, 'open', course.openedAt, null)
  course.hasAnswer = first !== undefined && !first.is_of_client
  if (first?.is_of_client) clientWrote(course, first.at)
  for (const { at, is_of_client, staff_id } of others) {
    if (is_of_client) clientWrote(course, at)
    else if (staff_id !== null) replied(course, at, staff_id)
  }
  for (const event of events) {
    if (event.after?.assigned_staff_id !== undefined) assign(course, event.at, event.after.assigned_staff_id)
    if (event.after?.status !== undefined) setStatus(course, event, event.after.status)
  }
  if (ticket.status === 'Closed' && course.isOpen && ticket.closed_at) close(course, ticket.closed_at, course.assignee)
}

/** N2: it counts from the client's first message, and once it was closed unanswered, from the next one. */
function clientWrote(course: Course, at: Date): void {
  if (!course.hasAnswer) course.waitsSince ??= at
}

function replied(course: Course, at: Date, staff: number): void {
  count(course, 'replies', at, staff)
  if (course.waitsSince) measure(course, 'first_response', course.waitsSince, at, staff)
  course.waitsSince = null
  course.hasAnswer = true
}

function setStatus(course: Course, event: TimelineEvent, status: TicketStatus): void {
  const by = personOf(event) ?? course.assignee
  if (course.isOpen && status === 'Closed') close(course, event.at, by)
  if (course.isOpen || status === 'Closed') return
  course.isOpen = true
  course.lastClose = null
  count(course, 'reopened', event.at, by)
  count(course, 'open', event.at, course.assignee)
}

function close(course: Course, at: Date, staff: number | null): void {
  course.isOpen = false
  course.lastClose = { at, staff }
  // S5: whoever waited for a first answer waits no more.
  course.waitsSince = null
  count(course, 'closed', at, staff)
  count(course, 'open', at, course.assignee, -1)
}

function assign(course: Course, at: Date, staff: number | null): void {
  if (course.assignee === staff) return
  if (course.isOpen) {
    count(course, 'open', at, course.assignee, -1)
    count(course, 'open', at, staff)
  }
  course.assignee = staff
  course.assignees.push({ since: at, staff })
}

/** N4: a clock is booked on the day on which it ended; one that is late and still runs, when it was due. */
function countClock(course: Course, clock: TimelineClock, events: readonly TimelineEvent[]): void {
  const { metric, outcome, ended_at, ended_by, due_at, breached_at } = clock
  if (ended_at && outcome && outcome !== 'withdrawn') {
    const by = events.find(({ id }) => id === ended_by)
    count(course, `${metric}.${outcome}`, ended_at, (by && personOf(by)) ?? assigneeAt(course, ended_at))
  } else if (!ended_at && breached_at) {
    const at = due_at ?? breached_at
    count(course, `${metric}.breached`, at, assigneeAt(course, at))
  }
}

/** A rating is booked on the day of the first one, with its last value, for whoever it is about. */
function countSurvey(course: Course, { sent_at, rating, rated_at, credited_staff_id }: TimelineSurvey): void {
  if (sent_at) count(course, 'sent', sent_at, credited_staff_id)
  if (rating && rated_at) count(course, rating, rated_at, credited_staff_id)
}

function assigneeAt({ assignees }: Course, at: Date): number | null {
  return assignees.findLast(({ since }) => since <= at)?.staff ?? null
}

function personOf({ actor_type, actor_id }: TimelineEvent): number | null {
  return actor_type === 'staff' ? actor_id : null
}

function count(course: Course, figure: Counted['figure'], at: Date, staff_id: number | null, value = 1): void {
  course.counted.push({ figure, at, value, seconds: null, open_seconds: null, staff_id })
}

function measure(course: Course, figure: Counted['figure'], from: Date, to: Date, staff_id: number | null): void {
  const seconds = Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000))
  const open_seconds = Math.floor(course.openBetween(from, to) / 1000)
  course.counted.push({ figure, at: to, value: 1, seconds, open_seconds, staff_id })
}

/** When a message was received, which is not after it was taken in. */
function earlier(receivedAt: string | undefined, at: Date): Date {
  const received = receivedAt === undefined ? at : new Date(receivedAt)
  return received < at ? received : at
}
