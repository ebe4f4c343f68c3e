import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { DeskEvent } from '../../core/events/event.ts'
import { type Facts, judge } from '../conditions/judge-in-memory.ts'
import { ticketFacts } from '../conditions/ticket-facts.ts'
import { lockedById } from '../ticket/locked-ticket.ts'
import { chainOf } from './chain.ts'
import type { CompiledRule, RuleVersion } from './compiled-rules.ts'
import { askedFields, eventFacts, messageOf, ownFacts } from './event-facts.ts'
import { judgeAndRun } from './judge-and-run.ts'
import { runInChain } from './rule-runs.ts'
import type { RuleServices } from './run-rule.ts'

/** The rules that may follow an event, by what the event alone says. Whether they do is decided with the ticket. */
export function candidates(rules: readonly CompiledRule[], event: DeskEvent): readonly CompiledRule[] {
  if (rules.length === 0 || event.ticket_id === null) return []
  const { cause } = event
  // R12, and R6: a message by a rule is no reply.
  if (cause?.import_id !== undefined || (cause?.rule_id !== undefined && event.kind === 'ticket.replied')) return []
  const facts = ownFacts(event)
  return rules.filter(({ versions }) =>
    versions.some(version => version.watch_only || !asksOnlyOf(version, facts) || fitsEvent(version, facts, event.at))
  )
}

/** Whether an event surely sets none of these rules off, as its ticket is now, and leaves no run. */
export function fitsNone(rules: readonly CompiledRule[], event: DeskEvent, ofTicket: Facts, now: Date): boolean {
  const facts = { ...ofTicket, ...ownFacts(event) }
  return rules.every(({ versions }) =>
    versions.every(
      version => !version.watch_only && asksOnlyOf(version, facts) && !judge(version.conditions, facts, now).fits
    )
  )
}

/** Whether the facts at hand answer the groups that ask for the event alone. */
function asksOnlyOf({ fields }: RuleVersion, facts: Facts): boolean {
  return ![...fields].some(field => askedFields.has(field) && !Object.hasOwn(facts, field))
}

function fitsEvent({ ofEvent }: RuleVersion, facts: Facts, now: Date): boolean {
  return ofEvent.all.length === 0 || judge(ofEvent, facts, now).fits
}

/**
 * Runs the rules that follow an event, in their order, on its locked ticket: each in a savepoint, and seeing what those before it have changed (R1).
 * Tickets in the trash and merged ones are left alone (R12).
 */
export async function followEvent(
  services: RuleServices,
  db: Db,
  event: DeskEvent,
  rules: readonly CompiledRule[]
): Promise<void> {
  const ticket = event.ticket_id!
  const locked = await lockedById(db, ticket)
  if (!locked || locked.trashed_at !== null || locked.merged_into_id !== null) return
  const active = await activeNow(db, { ids: rules.map(({ id }) => id) })
  if (active.length === 0) return
  const since = new Map(active.map(({ id, active_since }) => [id, active_since]))
  const chain = await chainOf(db, event)
  const ran = await runInChain(db, ticket, chain.id)
  const fields = new Set(rules.flatMap(({ versions }) => versions.flatMap(version => [...version.fields])))
  const ofEvent = await eventFacts(db, event, fields)

  let ofTicket: Facts | undefined
  for (const { id, versions } of rules) {
    const activeSince = since.get(id)
    // R12: a chain ends under the version with which it began.
    const rule = versions.find(version => version.since <= chain.began)
    if (!activeSince || activeSince > chain.began || !rule?.kinds.has(event.kind)) continue
    ofTicket ??= (await ticketFacts(db, [ticket])).get(ticket)
    const isChange = await judgeAndRun({
      services,
      db,
      ticket,
      by: { event_id: event.id, chain_id: chain.id, depth: chain.depth, by_rule: event.cause?.rule_id, due_at: null },
      rule,
      ran,
      facts: { ...ofTicket, ...ofEvent },
      message: messageOf(event)
    })
    if (isChange) ofTicket = undefined
  }
}

/** Locked against deletion, and read anew: a budget may have paused one since. */
const activeNow = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('rules')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('is_active', '=', sql.lit(true))
    .where('paused_reason', 'is', null)
    .select(['id', 'active_since'])
    .forKeyShare()
)
