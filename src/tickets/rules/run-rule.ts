import { system } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { doAndUndo } from '../../core/acts/do-and-undo.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { EventCause } from '../../core/tables/events.ts'
import { isTransactionConflict } from '../../platform/db/transaction-conflict.ts'
import { type Action, type ActionKind, entryOf } from '../actions/action-values.ts'
import { type ActionOutcome, applyAction } from '../actions/apply-action.ts'
import type { EmailsLeft } from './budgets.ts'
import type { LoggedAction } from './rule-runs.ts'
import type { RuleDefinition } from './rule-types.ts'

export type RuleServices = Pick<Services, 'db' | 'clock' | 'config' | 'keys' | 'jobs' | 'log'>

/** What a rule has done, or would do, to a ticket. */
export interface Done {
  actions: LoggedAction[]
  is_change: boolean
  client_emails: number
  emails: number
}

interface OnTicket {
  ticket: number
  /** The message of the event that set the rule off. */
  message?: number | undefined
  cause: EventCause
  clientEmails: EmailsLeft
  /** How many e-mails it may send in all; any number if it is left out. */
  emailsLeft?: number
}

/** A run would send more e-mails than rules may send within the hour. */
class OverBudget extends Error {}

/**
 * Does what a rule says to a locked ticket, in a savepoint of the transaction. Nothing of it is done if it failed, or would send more e-mails than are
 * left. With `isTrial` it is undone in any case.
 */
export async function applyRule(
  services: RuleServices,
  db: Db,
  rule: Pick<RuleDefinition, 'actions'>,
  { isTrial, ...on }: OnTicket & { isTrial: boolean }
): Promise<Done | 'failed' | 'over_budget'> {
  const { log } = services
  const { ticket, cause } = on
  const work = (db: Db) => actionsDone({ ...services, db }, rule, on)
  try {
    return isTrial ? await doAndUndo(db, work) : await work(db)
  } catch (error) {
    if (isTransactionConflict(error)) throw error
    if (error instanceof OverBudget) return 'over_budget'
    log.warn({ err: error, rule: cause.rule_id, ticket }, 'A rule has failed')
    return 'failed'
  }
}

async function actionsDone(
  services: RuleServices,
  rule: Pick<RuleDefinition, 'actions'>,
  { ticket, message, cause, clientEmails, emailsLeft = Number.POSITIVE_INFINITY }: OnTicket
): Promise<Done> {
  const work = async (act: Act) => {
    const done: Done = { actions: [], is_change: false, client_emails: 0, emails: 0 }
    for (const action of rule.actions) {
      const { kind } = entryOf(action)
      const outcome: ActionOutcome =
        kind === 'email_client' && done.client_emails >= clientEmails.left
          ? { outcome: 'skipped', why: clientEmails.why }
          : await applyAction({ services, act, actor: system, ticket, message }, action)
      note(done, kind, outcome)
      if (done.emails > emailsLeft) throw new OverBudget()
    }
    return done
  }
  return await act(services, system, work, cause)
}

function note(done: Done, kind: ActionKind, outcome: ActionOutcome): void {
  const { outcome: said, ...told } = outcome
  // The values of custom fields may be the words of people.
  const more = kind === 'set_field' && 'to' in told ? {} : told
  done.actions.push({ [kind]: said, ...more })
  if (said !== 'done') return
  done.is_change = true
  if (kind === 'email_client') done.client_emails++
  if (kind === 'email_client') done.emails++
  if (kind === 'notify_staff' && 'to' in outcome && Array.isArray(outcome.to)) done.emails += outcome.to.length
}

/** Whether it sends e-mails, which have a budget. */
export function sendsEmails({ actions }: { actions: readonly Action[] }): boolean {
  return actions.some(action => 'email_client' in action || 'notify_staff' in action)
}
