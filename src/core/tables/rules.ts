import type { Generated, JSONColumnType } from 'kysely'
import type { Id } from './columns.ts'

export interface RuleTables {
  rules: RuleTable
  rule_versions: RuleVersionTable
  rule_runs: RuleRunTable
  /** The e-mails of runs, which count when the rule is gone. */
  rule_emails: { id: Id; at: Date; client_id: number | null; client_emails: number; emails: number }
  rule_timers: { rule_id: number; ticket_id: number; basis_event_id: number; due_at: Date; retry_at: Date | null }
  /** For which instants rules have run, of the runs that are swept. */
  rule_timers_fired: { rule_id: number; ticket_id: number; due_at: Date }
  /** With `takes_existing` those too for which the time was over before. */
  rule_fills: { rule_id: number; after_id: Generated<number>; since: Date; takes_existing: Generated<boolean> }
}

/** Why an active rule stands still. */
export const pauseReasons = ['staff', 'budget'] as const
export type PauseReason = (typeof pauseReasons)[number]

/** From when a timer counts. */
export const timerBases = [
  'created',
  'last_client_message',
  'last_reply',
  'status_since',
  'sla_due',
  'snooze_end',
  'date_field'
] as const
export type TimerBasis = (typeof timerBases)[number]

export const runOutcomes = ['ran', 'no_match', 'stopped', 'failed', 'watched'] as const
export type RunOutcome = (typeof runOutcomes)[number]

interface RuleTable {
  id: Id
  position: number
  is_active: boolean
  paused_reason: PauseReason | null
  /** It follows what began from then on. */
  active_since: Date
  version: Generated<number>
  created_at: Date
  updated_at: Date
}

/** What a rule says, by version: a chain of events ends under the versions with which it began. */
interface RuleVersionTable {
  rule_id: number
  version: number
  name: string
  trigger: JSONColumnType<object, string, string>
  conditions: JSONColumnType<object, string, string>
  actions: JSONColumnType<object[], string, string>
  watch_only: boolean
  /** Who saved it; null: a budget has paused it, or whoever it was is not known. */
  staff_id: number | null
  created_at: Date
}

interface RuleRunTable {
  id: Id
  rule_id: number
  version: number
  /** Null for a rule about an e-mail that became no ticket. */
  ticket_id: number | null
  /** The e-mail in the mail log, if one set it off. */
  mail_log_id: Generated<number | null>
  /** By their places in the log; null for what no event set off. */
  event_id: number | null
  chain_id: number | null
  depth: number
  at: Date
  outcome: RunOutcome
  is_change: boolean
  detail: JSONColumnType<object, string, string>
  /** When it was due, if a timer set it off. */
  due_at: Date | null
  /** When it was made again, if a budget had stopped it. */
  again_at: Date | null
}
