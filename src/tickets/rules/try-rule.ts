import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { doAndUndo } from '../../core/acts/do-and-undo.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { EventKind } from '../../core/events/catalogue.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { eventsWritten, newestEvents } from '../../core/events/read-events.ts'
import { openedContent } from '../../mail/outbox/content.ts'
import { mailReceived } from '../conditions/event-fields.ts'
import { type Facts, judge } from '../conditions/judge-in-memory.ts'
import { ticketFacts } from '../conditions/ticket-facts.ts'
import { refuseMerged, visibleTicketNow } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { budgetsOf } from './budgets.ts'
import { type CompiledRules, ruleCompiler } from './compiled-rules.ts'
import { eventFacts, messageOf } from './event-facts.ts'
import { candidates } from './follow-event.ts'
import type { ProposedRule } from './proposed-rule.ts'
import type { LoggedAction } from './rule-runs.ts'
import { applyRule, type RuleServices, sendsEmails } from './run-rule.ts'

export const trialOutcomes = ['would_run', 'would_fail', 'no_match'] as const

/** What a rule would do to a ticket, by the ticket as it is now. Nothing of it is done. */
export interface Trial {
  ticket_id: number | null
  /** The e-mail of the log on which it was tried. */
  mail_id?: number
  /** The event that would have set it off; null if none of the ticket would, or a timer does. */
  event_id: number | null
  outcome: (typeof trialOutcomes)[number]
  conditions: { field: string; op: string; actual: unknown; fits: boolean }[][]
  /** What would become of each action, as runs log it. */
  actions: LoggedAction[]
  changes: Change[]
  emails: { to: string; subject: string; text: string }[]
  /** The active rules that what it changes would set off. */
  followed_by: { rule_id: number; name: string }[]
}

interface Change {
  field: string
  before: unknown
  after: unknown
}

/** Rules are tried on what is this new at most, so that a rare kind of event takes no longer than a frequent one. */
const newestPlaces = 20_000
/** Of a text of a ticket or an e-mail, where many tickets are told of. */
const longestText = 500

/** The id of a ticket that the actor sees. Throws `TicketNotFound`, `TicketMerged`. */
export async function ticketToTry(db: Db, actor: StaffActor, ref: TicketRef): Promise<number> {
  const ticket = await visibleTicketNow(db, deskVisibility(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  await refuseMerged(db, actor, ticket)
  return ticket.id
}

/** Tries a rule on one ticket; conditions on the event see the newest event of the ticket that the rule follows. */
export async function tryOnTicket(services: RuleServices, rule: ProposedRule, ticket: number): Promise<Trial[]> {
  const kinds = ticketEventsOf(rule)
  const [event] = kinds.length > 0 ? await newestEvents(services.db, { kinds, ticket, places: null, limit: 1 }) : []
  return await tried(services, rule, [{ ticket, event }], {})
}

/**
 * Tries a rule on the tickets of the last events that it follows, the newest first, or on the newest tickets if it has a timer: each as it is now.
 * Tickets in the trash and merged ones are left out (R12). Throws the reason of `signal` once that is aborted.
 */
export async function tryOnLast(
  services: RuleServices,
  rule: ProposedRule,
  limit: number,
  signal: AbortSignal
): Promise<Trial[]> {
  const { db } = services
  const kinds = rule.trigger.events && ticketEventsOf(rule)
  const found: Tried[] = kinds
    ? (await newestEvents(db, { kinds, ticket: null, places: newestPlaces, limit })).flatMap(event =>
        event.ticket_id === null ? [] : [{ ticket: event.ticket_id, event }]
      )
    : (await newestTickets(db, { limit })).map(({ id }) => ({ ticket: id, event: undefined }))
  const open = new Set((await openTickets(db, { ids: found.map(({ ticket }) => ticket) })).map(({ id }) => id))
  return await tried(
    services,
    rule,
    found.filter(({ ticket }) => open.has(ticket)),
    { signal, longest: longestText }
  )
}

function ticketEventsOf({ trigger }: ProposedRule): EventKind[] {
  return (trigger.events ?? []).filter(kind => kind !== mailReceived)
}

interface Tried {
  ticket: number
  event: DeskEvent | undefined
}

async function tried(
  services: RuleServices,
  rule: ProposedRule,
  on: readonly Tried[],
  { signal, longest = Number.POSITIVE_INFINITY }: { signal?: AbortSignal; longest?: number }
): Promise<Trial[]> {
  const { db, clock } = services
  const others = await ruleCompiler()(db)
  const facts = await ticketFacts(db, [...new Set(on.map(({ ticket }) => ticket))])
  const fields = new Set(rule.conditions.all.flatMap(({ any }) => any.map(({ field }) => field)))
  const done = new Map<number, Effects>()
  const trials: Trial[] = []
  for (const { ticket, event } of on) {
    signal?.throwIfAborted()
    const former = facts.get(ticket) ?? {}
    const ofEvent = event ? await eventFacts(db, event, fields) : {}
    const { fits, groups } = judge(rule.conditions, { ...former, ...ofEvent }, clock.now())
    const conditions = groups.map(group =>
      group.map(({ field, op, actual, fits }) => ({ field, op, actual: shortened(actual, longest), fits }))
    )
    const effects = fits
      ? (done.get(ticket) ?? (await effectsOn(services, rule, { ticket, event, former, others })))
      : nothing
    if (fits) done.set(ticket, effects)
    const emails = effects.emails.map(email => ({ ...email, text: shortened(email.text, longest) }))
    const outcome = fits ? effects.outcome : 'no_match'
    trials.push({ ...effects, ticket_id: ticket, event_id: event?.id ?? null, outcome, conditions, emails })
  }
  return trials
}

type Effects = Pick<Trial, 'outcome' | 'actions' | 'changes' | 'emails' | 'followed_by'>
const nothing: Effects = { outcome: 'no_match', actions: [], changes: [], emails: [], followed_by: [] }

/** Has the rule do on the ticket what it would, looks at that, and undoes it. */
async function effectsOn(
  services: RuleServices,
  rule: ProposedRule,
  {
    ticket,
    event,
    former,
    others
  }: { ticket: number; event: DeskEvent | undefined; former: Facts; others: CompiledRules }
): Promise<Effects> {
  const trial = `trial ${randomUUID()}`
  return await doAndUndo(services.db, async db => {
    const now = services.clock.now()
    const { clientEmails } = await budgetsOf(db, { rule: rule.id, ticket, sendsEmails: sendsEmails(rule), now })
    const sent: number[] = []
    const jobs: RuleServices['jobs'] = {
      async send(_, name, data) {
        if (name === 'deliver-message' && 'messageId' in data) sent.push(data.messageId)
      }
    }
    const cause = { rule_id: rule.id, name: trial, event_id: null, chain_id: null, depth: 0 }
    const done = await applyRule({ ...services, db, jobs }, db, rule, {
      ...{ ticket, message: event && messageOf(event), cause, clientEmails },
      isTrial: false
    })
    if (typeof done === 'string') return { ...nothing, outcome: 'would_fail' }
    const events = await eventsWritten(db, { ticket, cause: trial })
    const facts = (await ticketFacts(db, [ticket])).get(ticket)!
    return {
      outcome: 'would_run',
      actions: done.actions,
      changes: changesBetween(events, former, facts),
      emails: await emailsOf(services, db, sent),
      followed_by: await followers(services, db, events, { rule, others, facts })
    }
  })
}

const properties = ['status', 'priority', 'department_id', 'assigned_staff_id', 'tags'] as const

/** What the events say was changed in the end, property by property; custom fields as the ticket has them, `f12`. */
function changesBetween(events: readonly DeskEvent[], former: Facts, present: Facts): Change[] {
  const changes = new Map<string, Change>()
  const change = (field: string, before: unknown, after: unknown) => {
    const known = changes.get(field)
    changes.set(field, { field, before: known ? known.before : (before ?? null), after: after ?? null })
  }
  for (const { kind, before, after } of events) {
    const [was, is] = [before, after].map(facts => (facts ?? {}) as Record<string, unknown>)
    for (const name of properties) if (Object.hasOwn(is!, name)) change(name, was![name], is![name])
    if (kind === 'ticket.snoozed') change('snoozed_until', was!.until, is!.until)
  }
  for (const name of Object.keys({ ...former, ...present }).filter(name => /^f\d+$/.test(name))) {
    change(name, former[name], present[name])
  }
  return [...changes.values()].filter(({ before, after }) => !isDeepStrictEqual(before, after))
}

/** The e-mails as they would be sent. */
async function emailsOf({ keys }: RuleServices, db: Db, ids: readonly number[]): Promise<Trial['emails']> {
  if (ids.length === 0) return []
  return (await queuedEmails(db, { ids })).map(({ recipient: to, sealed_content }) => {
    const { text, ...content } = openedContent(keys, sealed_content!)
    return { to, subject: 'subject' in content ? content.subject : '', text }
  })
}

/** The other active rules that follow one of the events, and fit the ticket as it would be then. */
async function followers(
  { clock }: RuleServices,
  db: Db,
  events: readonly DeskEvent[],
  { rule, others, facts }: { rule: ProposedRule; others: CompiledRules; facts: Facts }
): Promise<Trial['followed_by']> {
  const found = new Map<number, string>()
  for (const event of events) {
    for (const { id, versions } of candidates(others.following(event.kind), event)) {
      const [other] = versions
      if (!other || id === rule.id || other.watch_only || !other.kinds.has(event.kind)) continue
      const ofEvent = await eventFacts(db, event, other.fields)
      if (judge(other.conditions, { ...facts, ...ofEvent }, clock.now()).fits) found.set(id, other.name)
    }
  }
  return [...found].map(([rule_id, name]) => ({ rule_id, name }))
}

function shortened<T>(value: T, longest: number): T | string {
  return typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value
}

const newestTickets = prepared((db, p: { limit: number }) =>
  db.selectFrom('tickets').select('id').orderBy('id', 'desc').limit(p.limit)
)

const openTickets = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('trashed_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .select('id')
)

const queuedEmails = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('outbox_messages')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['recipient', 'sealed_content'])
    .orderBy('id')
)
