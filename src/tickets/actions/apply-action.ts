import { isDeepStrictEqual } from 'node:util'
import { type DeskActor, hasPermission } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import { countingCalendars } from '../../core/calendars/calendars.ts'
import { prepared } from '../../core/db.ts'
import { Failure, Forbidden, InvalidFields } from '../../kit/errors.ts'
import { changeAssigneeLocked } from '../desk/assign-ticket.ts'
import { changeStatusLocked } from '../desk/set-status.ts'
import { changeTagsLocked } from '../desk/tag-ticket.ts'
import { changeFieldsLocked } from '../desk/update-ticket.ts'
import { startWatching } from '../desk/watch-ticket.ts'
import { allFields } from '../fields/fields.ts'
import { setFields } from '../fields/set-fields.ts'
import { splitLocked } from '../links/split-ticket.ts'
import { emailClient, type Noticing, notifyStaff } from '../notifications/notices.ts'
import { refuseClosed, snoozeLocked } from '../snooze/snooze-ticket.ts'
import { wakeTime } from '../snooze/wake-time.ts'
import { noteWithoutFiles } from '../threads/write-note.ts'
import type { TicketEvent } from '../ticket/change-ticket.ts'
import { type LockedTicket, lockedById } from '../ticket/locked-ticket.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { type Action, type ActionKind, type ActionValues, entryOf } from './action-values.ts'
import { missingPermissions } from './permissions-of-actions.ts'
import { placeholderValuesOf } from './placeholder-values.ts'
import { filled } from './placeholders.ts'
import { nextInTurn } from './round-robin.ts'
import { skipReasons, whyUnset } from './skip-reasons.ts'

/** In which write an action is applied, to which ticket, and by whom: a person, or the system for a rule. */
export interface Applying {
  services: Noticing
  act: Act
  actor: DeskActor
  ticket: number
  /** The message of the event that set a rule off. */
  message?: number | undefined
}

/** What became of an action. `from` and `to` are what events record; null where there is no such value. */
export type ActionOutcome = { outcome: 'done'; from: unknown; to: unknown } | { outcome: 'skipped'; why: string }

/**
 * Applies one stored action by the code that does the same by hand, on a ticket that the transaction has locked or locks now, and records its
 * events. What would change nothing is skipped, and leaves no trace. A person is refused what they would be refused by hand, by a throw; where the
 * system is refused, the action is skipped. Call it in a savepoint if other actions shall stand when it throws. Throws `TicketNotFound` for a ticket
 * that is gone, merged or in the trash.
 */
export async function applyAction(applying: Applying, action: Action): Promise<ActionOutcome> {
  const { act, actor } = applying
  if (missingPermissions([action], actor).length > 0) throw Forbidden()
  const ticket = await lockedById(act.db, applying.ticket)
  if (!ticket || ticket.trashed_at !== null || ticket.merged_into_id !== null) throw TicketNotFound()
  const { kind, value } = entryOf(action)
  try {
    return await (appliers[kind] as Applier<unknown>)({ ...applying, ticket }, value)
  } catch (error) {
    if (actor.population !== 'system' || !(error instanceof Failure) || error.status >= 500) throw error
    // A field takes what was judged when it was saved, until an option of it is archived.
    if (kind === 'set_field' && error.kind === InvalidFields) return skipped(skipReasons.optionGone)
    // The text of its kind: its own may name what readers of the ticket do not see.
    return skipped(error.kind.text)
  }
}

type On = Omit<Applying, 'ticket'> & { ticket: LockedTicket }
type Applier<V> = (on: On, value: V) => Promise<ActionOutcome>

const appliers: { [K in ActionKind]: Applier<ActionValues[K]> } = {
  set_status: async (on, status) =>
    recorded(on, 'status', await changeStatusLocked(on.act, on.actor, on.ticket, status)),
  set_priority: async (on, priority) =>
    recorded(on, 'priority', await changeFieldsLocked(on.act, on.ticket, { priority })),
  move_to: async (on, department_id) =>
    recorded(on, 'department_id', await changeFieldsLocked(on.act, on.ticket, { department_id })),
  assign: async (on, value) => {
    const staffId = typeof value === 'object' && value !== null ? await inTurn(on, value.round_robin) : value
    if (staffId === undefined) return skipped(skipReasons.nobodyInTurn)
    const event = await changeAssigneeLocked(on.act, on.actor, on.ticket, { staffId, force: true })
    return recorded(on, 'assigned_staff_id', event)
  },
  add_tags: async (on, add) => recorded(on, 'tags', await changeTagsLocked(on.act.db, on.ticket.id, { add: [...add] })),
  remove_tags: async (on, remove) =>
    recorded(on, 'tags', await changeTagsLocked(on.act.db, on.ticket.id, { remove: [...remove] })),
  set_field: async (on, { key: id, value }) => {
    const field = (await allFields(on.act.db)).find(field => field.id === id || field.key === id)
    if (!field || field.is_archived) return skipped(skipReasons.fieldGone)
    const [change] = await setFields(on.act, on.ticket.id, { [field.key]: value })
    return change ? done(change.before, change.after) : unchanged
  },
  note: async (on, text) => {
    const note = await texts(on, { text })
    if ('outcome' in note) return note
    await noteWithoutFiles(on.act, on.ticket.id, on.actor, note.text)
    return done()
  },
  email_client: async (on, { subject, text, calendar_id: calendarId }) => {
    const email = await texts(on, { subject, text }, { isForClient: true, calendarId })
    if ('outcome' in email) return email
    const state = await emailClient(on.services, on.act, on.ticket.id, email)
    return state === 'sent' ? done() : skipped(whyNoEmail[state])
  },
  notify_staff: async (on, { who, text: given }) => {
    const notice = await texts(on, { text: given })
    if ('outcome' in notice) return notice
    const told = await notifyStaff(on.services, on.act, on.ticket, who, notice.text)
    return told.length > 0 ? done(null, told) : skipped(skipReasons.nobodyToNotify)
  },
  snooze: async (on, { minutes, calendar_id: calendarId, kind = 'own' }) => {
    refuseClosed(on.ticket)
    const until = await afterMinutes(on.act, minutes, calendarId ?? null)
    if (!until) return skipped(skipReasons.neverOpens)
    const time = await wakeTime(on.act.db, { until: until.toISOString() }, on.act.now)
    const snooze = { ...time, kind, reason: '', staff_id: on.actor.id }
    return recorded(on, 'until', await snoozeLocked(on.act, on.ticket, snooze))
  },
  watch: async (on, staffId) => {
    const [watcher] = await activeStaff(on.act.db, { id: staffId })
    if (!watcher) return skipped(skipReasons.staffGone)
    if (!(await startWatching(on.act, on.ticket.id, staffId))) return unchanged
    const after = staffId === on.actor.id ? null : { staff_id: staffId }
    on.act.happened({ kind: 'ticket.watched', ticket: on.ticket.id, after })
    return done(null, staffId)
  },
  webhook: async (on, webhook_id) => {
    const [webhook] = await activeWebhook(on.act.db, { id: webhook_id })
    if (!webhook) return skipped(skipReasons.webhookGone)
    on.act.happened({ kind: 'ticket.webhook_called', ticket: on.ticket.id, after: { webhook_id } })
    return done(null, webhook_id)
  },
  split_off: async (on, given) => {
    const text = await texts(on, given, { isForClient: true })
    if ('outcome' in text) return text
    const newest = await messagesSince(on.act.db, { ticket: on.ticket.id, message: on.message ?? 0 })
    if (on.message === undefined || newest[0]?.id !== on.message) return skipped(skipReasons.messageGone)
    if (newest.some(({ sender_type }) => sender_type !== 'client')) return skipped(skipReasons.answered)
    const messageIds = newest.map(({ id }) => id)
    const target = await splitLocked(on.act, on.ticket, { messageIds, subject: text.subject.slice(0, 255) })
    return done(null, target.ticket_number)
  },
  hold: ofMail,
  drop: ofMail,
  no_acknowledgement: ofMail,
  block_sender: ofMail
}

/** What is done to an e-mail that arrives is done before there is a ticket. */
async function ofMail(): Promise<ActionOutcome> {
  return skipped('It is done to e-mails that arrive')
}

const unchanged = skipped(skipReasons.unchanged)

function skipped(why: string): ActionOutcome {
  return { outcome: 'skipped', why }
}

function done(from: unknown = null, to: unknown = null): ActionOutcome {
  return { outcome: 'done', from, to }
}

/** Records the event of a change, if there was one; `name`: what it is about among the event's facts. */
function recorded({ act, ticket }: On, name: string, event: TicketEvent | undefined): ActionOutcome {
  if (!event) return unchanged
  act.happened({ ...event, ticket: ticket.id })
  const [from, to] = [event.before, event.after].map(
    facts => (facts as Record<string, unknown> | null | undefined)?.[name] ?? null
  )
  return isDeepStrictEqual(from, to) ? done() : done(from, to)
}

/** These texts with their placeholders filled; skipped if one has neither a value nor a fallback. */
async function texts<T extends Record<string, string>>(
  { act, ticket, actor }: On,
  given: T,
  of: { isForClient?: boolean; calendarId?: number | undefined } = {}
) {
  const about = { isForClient: false, now: act.now, ...of }
  const values = await placeholderValuesOf(act.db, ticket.id, actor, Object.values(given), about)
  const all = Object.entries(given).map(([name, text]) => ({ name, ...filled(text, values) }))
  const unset = [...new Set(all.flatMap(({ unset }) => unset))]
  if (unset.length > 0) return { outcome: 'skipped' as const, why: whyUnset(unset) }
  return Object.fromEntries(all.map(({ name, text }) => [name, text])) as T
}

/** Whoever is next in turn in a department; the system and whoever may assign tickets to others hand them out. */
async function inTurn({ act, actor, ticket }: On, deptid: number): Promise<number | undefined> {
  if (!hasPermission(actor, 'tickets.edit_status')) throw Forbidden({ lacks: ['tickets.edit_status'] })
  return await nextInTurn(act.db, { deptid, ticketDepartment: ticket.department_id, now: act.now })
}

/** After so many minutes of the calendar's open time, or of all time; undefined if it does not open within a year, or is gone. */
async function afterMinutes({ db, now }: Act, minutes: number, calendarId: number | null): Promise<Date | undefined> {
  const time = minutes * 60_000
  if (calendarId === null) return new Date(now.getTime() + time)
  const calendar = (await countingCalendars(db, [calendarId])).get(calendarId)
  const until = calendar?.open.add(now, time)
  return until && until.getTime() - now.getTime() < yearMilliseconds ? until : undefined
}

const yearMilliseconds = 365 * 86_400_000

const whyNoEmail = {
  answers_only: skipReasons.answersOnly,
  notices_only: skipReasons.notVerified,
  unsubscribed: skipReasons.unsubscribed,
  turned_off: skipReasons.turnedOff,
  limit_reached: skipReasons.notVerified,
  inactive: skipReasons.inactive,
  bounced: skipReasons.bounced
} as const

const messagesSince = prepared((db, p: { ticket: number; message: number }) =>
  db
    .selectFrom('ticket_messages')
    .where('ticket_id', '=', p.ticket)
    .where('id', '>=', p.message)
    .select(['id', 'sender_type'])
    .orderBy('id')
)

const activeStaff = prepared((db, p: { id: number }) =>
  db
    .selectFrom('staff')
    .where('id', '=', p.id)
    .where('is_active', '=', true)
    .where('is_service_account', '=', false)
    .select('id')
)

const activeWebhook = prepared((db, p: { id: number }) =>
  db.selectFrom('webhooks').where('id', '=', p.id).where('is_active', '=', true).select('id').forKeyShare()
)
