import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketPriority } from '../../core/tables/tickets.ts'
import { type Action, entryOf, mailActions } from '../actions/action-values.ts'
import { skipReasons } from '../actions/skip-reasons.ts'
import { mailReceived } from '../conditions/event-fields.ts'
import { type Facts, type Judgement, judge } from '../conditions/judge-in-memory.ts'
import { noEmails } from './budgets.ts'
import { type LoggedAction, loggedConditions, logRun, newRunId } from './rule-runs.ts'
import type { RuleDefinition } from './rule-types.ts'
import { applyRule, type RuleServices } from './run-rule.ts'

type MailRule = Pick<RuleDefinition, 'name' | 'conditions' | 'actions' | 'watch_only'> & {
  rule_id: number
  version: number
}

/** A rule that fits an e-mail, and how it was judged. */
interface FittingRule {
  rule: MailRule
  judgement: Judgement
}

/** What rules say of an e-mail before it is a ticket. */
export interface RuledMail {
  fitting: readonly FittingRule[]
  /** The first rule that holds or drops it decides. */
  decided: { outcome: 'hold' | 'drop'; rule: MailRule } | undefined
  /** The first rule that blocks its sender. */
  blockedBy: MailRule | undefined
  isSilent: boolean
  /** What a new ticket begins with. */
  deptid: number | undefined
  priority: TicketPriority | undefined
}

/** Judges an e-mail that arrives by the rules that follow `mail.received`, in their order. Rules that only watch are logged. */
export async function judgeMail(services: RuleServices, facts: Facts, logId: number | null): Promise<RuledMail> {
  const { db, clock } = services
  const rules = (await mailRules(db, {})) as MailRule[]
  const fitting: FittingRule[] = []
  for (const rule of rules) {
    const judgement = judge(rule.conditions, facts, clock.now())
    if (rule.watch_only) await logWatched(services, rule, judgement, logId)
    else if (judgement.fits) fitting.push({ rule, judgement })
  }
  return { fitting, ...sumOf(fitting.map(({ rule }) => rule)) }
}

/** What these rules do together. */
function sumOf(rules: readonly MailRule[]): Omit<RuledMail, 'fitting'> {
  const doing = rules.flatMap(rule => rule.actions.map(action => ({ rule, ...entryOf(action) })))
  const deciding = doing.find(({ kind }) => kind === 'hold' || kind === 'drop')
  // As with tickets, a later rule has the last word.
  const last = <T>(wanted: string) => doing.findLast(({ kind }) => kind === wanted)?.value as T | undefined
  return {
    decided: deciding && { outcome: deciding.kind as 'hold' | 'drop', rule: deciding.rule },
    blockedBy: doing.find(({ kind }) => kind === 'block_sender')?.rule,
    isSilent: doing.some(({ kind }) => kind === 'no_acknowledgement'),
    deptid: last<number>('move_to'),
    priority: last<TicketPriority>('set_priority')
  }
}

/**
 * Does to the ticket of an e-mail what the rules say beside what was done to the e-mail itself, and logs their runs. `ticket`: null if it became none.
 * `isNew`: the ticket was opened with what the rules say of department and priority.
 */
export async function carryOutMailRules(
  services: RuleServices,
  { fitting }: RuledMail,
  { ticket, isNew, logId }: { ticket: number | null; isNew: boolean; logId: number | null }
): Promise<void> {
  const { db } = services
  for (const { rule, judgement } of fitting) {
    const ofTicket = rule.actions.filter(action => !isDoneAlready(action, isNew))
    const runId = await newRunId(db)
    const done =
      ticket === null || ofTicket.length === 0
        ? undefined
        : await applyRule(
            services,
            db,
            { actions: ofTicket },
            {
              ticket,
              cause: {
                rule_id: rule.rule_id,
                name: rule.name,
                run_id: runId,
                event_id: null,
                chain_id: null,
                depth: 0
              },
              clientEmails: noEmails,
              isTrial: false
            }
          )
    const hasFailed = typeof done === 'string'
    const outcomes = hasFailed ? [] : [...(done?.actions ?? [])]
    const actions = rule.actions.map((action): LoggedAction => {
      const { kind } = entryOf(action)
      if (isDoneAlready(action, isNew))
        return mailActions.includes(kind) || ticket !== null ? { [kind]: 'done' } : noTicket(kind)
      return outcomes.shift() ?? noTicket(kind)
    })
    await logMailRun(services, rule, judgement, {
      id: runId,
      ticket,
      logId,
      outcome: hasFailed ? 'failed' : 'ran',
      actions: hasFailed ? [] : actions
    })
  }
}

function isDoneAlready(action: Action, isNew: boolean): boolean {
  const { kind } = entryOf(action)
  return mailActions.includes(kind) || (isNew && (kind === 'move_to' || kind === 'set_priority'))
}

function noTicket(kind: string): LoggedAction {
  return { [kind]: 'skipped', why: skipReasons.noTicket }
}

async function logWatched(services: RuleServices, rule: MailRule, judgement: Judgement, logId: number | null) {
  const actions = rule.actions.map((action): LoggedAction => ({ [entryOf(action).kind]: 'done' }))
  await logMailRun(services, rule, judgement, {
    ticket: null,
    logId,
    outcome: judgement.fits ? 'watched' : 'no_match',
    actions: judgement.fits ? actions : []
  })
}

async function logMailRun(
  { db, clock }: RuleServices,
  { rule_id, version }: MailRule,
  judgement: Judgement,
  run: {
    id?: number
    ticket: number | null
    logId: number | null
    outcome: 'ran' | 'failed' | 'watched' | 'no_match'
    actions: LoggedAction[]
  }
): Promise<void> {
  await logRun(db, {
    ...(run.id !== undefined && { id: run.id }),
    rule_id,
    version,
    ticket_id: run.ticket,
    mail_log_id: run.logId,
    event_id: null,
    chain_id: null,
    depth: 0,
    due_at: null,
    at: clock.now(),
    outcome: run.outcome,
    detail: { conditions: loggedConditions(judgement), actions: run.actions },
    is_change: false
  })
}

/** The newest version of each; there are few. */
const mailRules = prepared((db: Db, _: object) =>
  db
    .selectFrom('rules')
    .innerJoin('rule_versions as says', join =>
      join.onRef('says.rule_id', '=', 'rules.id').onRef('says.version', '=', 'rules.version')
    )
    .where('rules.is_active', '=', true)
    .where('rules.paused_reason', 'is', null)
    .where(sql<boolean>`says.trigger -> 'events' ->> 0 = ${sql.lit(mailReceived)}`)
    .select(['says.rule_id', 'says.version', 'says.name', 'says.conditions', 'says.actions', 'says.watch_only'])
    .orderBy('rules.position')
    .orderBy('rules.id')
)
