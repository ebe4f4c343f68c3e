import type { Db } from '../../core/db.ts'
import { type Facts, judge } from '../conditions/judge-in-memory.ts'
import { budgetsInTurn, budgetsOf, countEmails } from './budgets.ts'
import type { RuleVersion } from './compiled-rules.ts'
import { pauseByBudget } from './pause-by-budget.ts'
import { loggedConditions, logRun, newRunId, type RunDetail } from './rule-runs.ts'
import { applyRule, type Done, type RuleServices, sendsEmails } from './run-rule.ts'

/** R4: what a run at this depth writes sets nothing off any more. */
const maxDepth = 5

/** A rule on a locked ticket, and what sets it off: an event, or a timer, with which a chain begins. */
export interface Judging {
  services: RuleServices
  db: Db
  ticket: number
  rule: Pick<RuleVersion, 'rule_id' | 'version' | 'conditions' | 'actions' | 'watch_only' | 'name' | 'trigger'>
  facts: Facts
  /** The message of the event that sets it off. */
  message?: number | undefined
  by: {
    event_id: number | null
    chain_id: number | null
    depth: number
    by_rule?: number | undefined
    due_at: Date | null
    /** The stopped run that staff make again. */
    again_of?: number
  }
  /** The rules that have run in the chain. */
  ran: Set<number>
}

/** Judges the ticket, and does what the rule says if it fits. Returns whether the ticket may be another one than before. */
export async function judgeAndRun(on: Judging): Promise<boolean> {
  const { services, db, ticket, rule, ran, facts, by } = on
  const { rule_id: id } = rule
  const now = services.clock.now()
  const judgement = judge(rule.conditions, facts, now)
  const conditions = loggedConditions(judgement)
  if (!judgement.fits) {
    if (rule.watch_only || by.again_of !== undefined) await logged(on, 'no_match', { conditions })
    return false
  }
  const byRule = by.by_rule === undefined ? {} : { by_rule: by.by_rule }
  if (ran.has(id) || by.depth > maxDepth) {
    await logged(on, 'stopped', { conditions, reason: ran.has(id) ? 'chain' : 'depth', ...byRule })
    return false
  }
  const budgets = await (rule.watch_only ? budgetsOf : budgetsInTurn)(db, {
    ...{ rule: id, ticket, now },
    sendsEmails: sendsEmails(rule)
  })
  const stopByBudget = async () => {
    await logged(on, 'stopped', { conditions, reason: 'budget', ...byRule })
    await pauseByBudget(services, db, id)
    return false
  }
  if (!budgets.mayRun && !rule.watch_only) return await stopByBudget()
  ran.add(id)
  const { event_id, chain_id, depth } = by
  const runId = await newRunId(db)
  const done = await applyRule(services, db, rule, {
    ticket,
    message: on.message,
    // What a timer does is the beginning of its chain.
    cause: {
      rule_id: id,
      name: rule.name,
      run_id: runId,
      event_id,
      chain_id,
      depth: chain_id === null ? 0 : depth + 1
    },
    clientEmails: budgets.clientEmails,
    ...(!rule.watch_only && { emailsLeft: budgets.emailsLeft }),
    isTrial: rule.watch_only
  })
  if (done === 'over_budget') return await stopByBudget()
  if (done === 'failed') await logged(on, 'failed', { conditions, ...byRule })
  else if (rule.watch_only) await logged(on, 'watched', { conditions, actions: done.actions, ...byRule })
  else {
    await logged(on, 'ran', { conditions, actions: done.actions, ...byRule }, { ...done, id: runId })
    if (done.emails > 0) await countEmails(db, { ...done, ticket, now })
  }
  return done !== 'failed' && done.is_change && !rule.watch_only
}

const nothing = { is_change: false }

async function logged(
  { services, db, ticket, by, rule }: Judging,
  outcome: Parameters<typeof logRun>[1]['outcome'],
  detail: RunDetail,
  { id, is_change }: Pick<Done, 'is_change'> & { id?: number } = nothing
): Promise<void> {
  const { event_id, chain_id, depth, due_at } = by
  await logRun(db, {
    ...(id !== undefined && { id }),
    rule_id: rule.rule_id,
    version: rule.version,
    ticket_id: ticket,
    ...{ event_id, chain_id, depth, due_at },
    at: services.clock.now(),
    outcome,
    detail: { ...detail, ...(by.again_of !== undefined && { again_of: by.again_of }) },
    is_change
  })
}
