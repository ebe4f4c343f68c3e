import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { eventAt } from '../../core/events/read-events.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { inOneTransaction } from '../../platform/db/outer-transaction.ts'
import { fieldsIn } from '../conditions/judge-in-memory.ts'
import { ticketFacts } from '../conditions/ticket-facts.ts'
import { lockedUnmerged } from '../ticket/locked-ticket.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { budgetsOf } from './budgets.ts'
import { eventFacts, messageOf } from './event-facts.ts'
import { judgeAndRun } from './judge-and-run.ts'
import { type RuleRun, runMadeAgain, runWithId } from './rule-runs.ts'
import { ruleWithId } from './rules.ts'
import { type RuleServices, sendsEmails } from './run-rule.ts'

export const RunNotFound = failure(404, 'run_not_found', 'There is no such run')
export const RunNotStopped = failure(409, 'run_not_stopped', 'Only a run that a budget stopped is made again, and once')
export const RuleStandsStill = failure(
  409,
  'rule_stands_still',
  'The rule is paused, turned off or only watched: let it go on first'
)
export const BudgetUsedUp = failure(409, 'budget_used_up', 'The rule has done here what it may in an hour: try later')

/**
 * R7: makes a run that a budget has stopped, once: by the rule as it is now, if its conditions fit the ticket as it is now. It begins a chain. Returns
 * the new run, which is `no_match` if they do not fit. Throws `RunNotFound`, `RunNotStopped`, `RuleStandsStill`, `BudgetUsedUp`, `TicketNotFound`
 * and `TicketMerged`; then the run may still be made.
 */
export async function runAgain(
  services: RuleServices,
  actor: StaffActor,
  caller: Caller,
  runId: number
): Promise<RuleRun> {
  return await inOneTransaction(services.db, async db => {
    const within = { ...services, db }
    const { run, rule, ticket } = await act(within, { actor, caller }, async act => {
      const [claimed] = await claim(act.db, { id: runId, now: act.now })
      const run = await runWithId(act.db, runId)
      if (!run) throw RunNotFound()
      // Nothing stops a rule about an e-mail, which has no ticket.
      if (!claimed || run.ticket_id === null) throw RunNotStopped()
      const rule = await ruleWithId(act.db, run.rule_id)
      if (!rule.is_active || rule.paused_reason !== null || rule.watch_only) throw RuleStandsStill()
      await lockedUnmerged(act.db, actor, deskVisibility(actor), run.ticket_id, undefined)
      const { id, name } = rule
      act.happened({ kind: 'rule.run_again', subject: { type: 'rule', id }, after: { name, run_id: runId } })
      return { run, rule, ticket: run.ticket_id }
    })
    const budget = { rule: rule.id, ticket, sendsEmails: sendsEmails(rule), now: services.clock.now() }
    if (!(await budgetsOf(db, budget)).mayRun) throw BudgetUsedUp()
    const event = run.event_id === null ? undefined : await eventAt(db, run.event_id)
    const ofEvent = event ? await eventFacts(db, event, fieldsIn(rule.conditions)) : {}
    await judgeAndRun({
      services: within,
      db,
      ticket,
      rule: { ...rule, rule_id: rule.id },
      facts: { ...(await ticketFacts(db, [ticket])).get(ticket), ...ofEvent },
      message: event && messageOf(event),
      ran: new Set(),
      by: { event_id: null, chain_id: null, depth: 0, due_at: null, again_of: runId }
    })
    return await runMadeAgain(db, run)
  })
}

const claim = prepared((db: Db, p: { id: number; now: Date }) =>
  db
    .updateTable('rule_runs')
    .where('id', '=', p.id)
    .where('outcome', '=', sql.lit('stopped' as const))
    .where(sql<boolean>`detail->>'reason' = 'budget'`)
    .where('again_at', 'is', null)
    .set({ again_at: p.now })
    .returning('id')
)
