import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { localDate } from '../../src/lib/time-zones.ts'
import type { Desk } from './desk.ts'

/** One thing that happened and counts, as told by the raw events alone. */
export interface Happened {
  ticket: number
  figure: string
  at: Date
  staff: number | null
  seconds?: number
}

interface RawEvent {
  id: number
  ticket_id: number
  kind: string
  at: Date
  staff: number | null
  // biome-ignore lint/suspicious/noExplicitAny: what events carry.
  after: any
}

/**
 * Counts once more, slowly and by the words of the definitions: for every ticket that is in no trash and not merged, a walk over its messages and one
 * over its states. What was undone, and its undoing, are struck out first.
 */
export async function recount(desk: Desk): Promise<Happened[]> {
  const { rows: tickets } = await sql<{ id: number; opened: Date }>`
    select id, created_at as opened from tickets where trashed_at is null and merged_into_id is null`.execute(desk.db)
  const { rows } = await sql<RawEvent>`
    select id, ticket_id, kind, created_at as at, case when actor_type = 'staff' then actor_id end as staff, after
    from events where ticket_id is not null and kind ~ '^(ticket|sla|csat)[.]' order by id`.execute(desk.db)
  const { rows: clocks } = await sql<RawClock>`
    select ticket_id, metric, due_at, breached_at, ended_at, outcome,
      (select actor_id from events where events.id = ended_by and actor_type = 'staff') as ended_by_staff from sla_clocks`.execute(
    desk.db
  )
  const { rows: credits } = await sql<Credit>`select id, ticket_id, credited_staff_id from csat_surveys`.execute(
    desk.db
  )
  return tickets.flatMap(ticket => {
    const [all, own] = [rows.filter(event => event.ticket_id === ticket.id), struck(rows, ticket.id)]
    const ofTickets = own.filter(({ kind }) => kind.startsWith('ticket.'))
    return [
      ...messagesCounted(ticket, ofTickets, rows),
      ...statesCounted(ticket, ofTickets),
      ...promisesCounted(ticket, ofTickets, all, clocks),
      ...ratingsCounted(ticket, all, credits)
    ]
  })
}

interface RawClock {
  ticket_id: number
  metric: string
  due_at: Date | null
  breached_at: Date | null
  ended_at: Date | null
  outcome: string | null
  ended_by_staff: number | null
}

/** Promises: clocks that ended, those that are late and still run, and those that are late no more. Without a person, for the assignee then. */
function promisesCounted(
  ticket: { id: number },
  own: readonly RawEvent[],
  all: readonly RawEvent[],
  clocks: readonly RawClock[]
): Happened[] {
  const assigneeAt = (at: Date): number | null =>
    own.findLast(event => event.after?.assigned_staff_id !== undefined && event.at <= at)?.after.assigned_staff_id ??
    null
  const counted = (figure: string, at: Date, by: number | null = null): Happened => ({
    ...{ ticket: ticket.id, figure, at },
    staff: by ?? assigneeAt(at)
  })
  const lifted = all.filter(({ kind }) => kind === 'sla.breach_lifted')
  const ended = clocks.filter(clock => clock.ticket_id === ticket.id && clock.outcome !== 'withdrawn')
  return [
    ...lifted.map(({ after, at }) => counted(`${after.metric}.lifted`, at)),
    ...ended.flatMap(({ metric, outcome, ended_at, ended_by_staff, breached_at, due_at }) => {
      if (ended_at) return [counted(`${metric}.${outcome}`, ended_at, ended_by_staff)]
      return breached_at ? [counted(`${metric}.breached`, due_at ?? breached_at)] : []
    })
  ]
}

interface Credit {
  id: number
  ticket_id: number
  credited_staff_id: number | null
}

/** Satisfaction: e-mails by the day on which they went out, ratings by that of the first one, with their last value. */
function ratingsCounted(ticket: { id: number }, all: readonly RawEvent[], credits: readonly Credit[]): Happened[] {
  return credits
    .filter(({ ticket_id }) => ticket_id === ticket.id)
    .flatMap(({ id, credited_staff_id: staff }) => {
      const own = all.filter(({ after, kind }) => kind.startsWith('csat.') && after?.survey_id === id)
      const sent = own.find(({ kind }) => kind === 'csat.sent')
      const rated = own.filter(({ kind }) => kind === 'csat.rated')
      return [
        ...(sent ? [{ ticket: ticket.id, figure: 'sent', at: sent.at, staff }] : []),
        ...(rated[0] ? [{ ticket: ticket.id, figure: rated.at(-1)!.after.rating, at: rated[0].at, staff }] : [])
      ]
    })
}

function struck(events: readonly RawEvent[], ticket: number): RawEvent[] {
  const own = events.filter(event => event.ticket_id === ticket)
  const undone = own.flatMap(({ after }) => (after?.undo_of ? [after.undo_of] : []))
  return own.filter(({ id, after }) => !after?.undo_of && !undone.includes(id))
}

interface Message {
  id: number
  /** The event that tells of it: of what happened at one instant, the order of events is what came first. */
  event: number
  isOfClient: boolean
  at: Date
  staff: number | null
  isOpening: boolean
}

/** Replies and first responses: a closing without an answer before it ends the waiting. */
function messagesCounted(ticket: { id: number }, own: RawEvent[], all: RawEvent[]): Happened[] {
  const written = new Map<number, Message>()
  for (const { id: event, kind, after, at, staff } of all) {
    if ((kind !== 'ticket.created' && kind !== 'ticket.replied') || after?.is_split || !after?.message_id) continue
    const received = new Date(after.received_at)
    const isOfClient = after.sender_type === 'client'
    const when = isOfClient && received < at ? received : at
    written.set(after.message_id, {
      id: after.message_id,
      event,
      isOfClient,
      at: when,
      staff,
      isOpening: kind === 'ticket.created'
    })
  }
  const ids = new Set<number>()
  for (const { kind, after } of own) {
    if (['ticket.created', 'ticket.replied'].includes(kind) && !after.is_split) ids.add(after.message_id)
    const moved: number[] = (after?.messages ?? []).map(({ message_id }: { message_id: number }) => message_id)
    if (kind === 'ticket.split') for (const id of moved) after.split_from ? ids.add(id) : ids.delete(id)
    if (kind === 'ticket.unsplit') for (const id of moved) ids.add(id)
  }
  const messages = [...ids].map(id => written.get(id)!).toSorted((one, other) => one.id - other.id)
  const closings = own.filter(({ after, kind }) => after?.status === 'Closed' && kind !== 'ticket.merged')
  const happened: Happened[] = []
  let waits: Message | undefined
  const openedByStaff = own.some(
    ({ kind, after }) => kind === 'ticket.created' && !after.is_split && after.sender_type !== 'client'
  )
  let answered = openedByStaff
  for (const message of messages) {
    const was = waits
    const isBetween = ({ id, at }: RawEvent) =>
      (at > was!.at || (+at === +was!.at && id > was!.event)) &&
      (at < message.at || (+at === +message.at && id < message.event))
    if (was && closings.some(isBetween)) waits = undefined
    if (message.isOfClient) {
      if (!answered) waits ??= message
    } else if (message.staff !== null && !message.isOpening) {
      const { at, staff } = message
      happened.push({ ticket: ticket.id, figure: 'replies', at, staff })
      if (waits) {
        const seconds = Math.floor((at.getTime() - waits.at.getTime()) / 1000)
        happened.push({ ticket: ticket.id, figure: 'first_response', at, staff, seconds })
      }
      waits = undefined
      answered = true
    }
  }
  return happened
}

/** Openings, closings, reopenings and resolutions. */
function statesCounted(ticket: { id: number; opened: Date }, own: RawEvent[]): Happened[] {
  const [opening, ...later] = own
  assert.equal(opening!.kind, 'ticket.created')
  const happened: Happened[] = [{ ticket: ticket.id, figure: 'opened', at: ticket.opened, staff: opening!.staff }]
  let [isClosed, assignee] = [false, null as number | null]
  let last: Happened | undefined
  for (const { kind, after, at, staff } of [opening!, ...later]) {
    if (kind === 'ticket.merged') continue
    if (after?.assigned_staff_id !== undefined) assignee = after.assigned_staff_id
    if (after?.status === undefined || (after.status === 'Closed') === isClosed) continue
    isClosed = !isClosed
    const by = staff ?? assignee
    happened.push({ ticket: ticket.id, figure: isClosed ? 'closed' : 'reopened', at, staff: by })
    const seconds = Math.floor((at.getTime() - ticket.opened.getTime()) / 1000)
    last = isClosed ? { ticket: ticket.id, figure: 'resolution', at, staff: by, seconds } : undefined
  }
  return last ? [...happened, last] : happened
}

export function dayIn(zone: string, { at }: { at: Date }): string {
  return localDate(at, zone)
}

export function median(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  const place = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return Math.round(low + (high - low) * (place - Math.floor(place)))
}
