import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Id } from './columns.ts'
import type { SlaMetric } from './sla-policies.ts'
import type { TicketPriority } from './tickets.ts'

export interface SlaClockTables {
  sla_clocks: SlaClockTable
  sla_tickets: SlaTicketTable
  sla_recomputations: SlaRecomputationTable
}

export const slaOutcomes = ['met', 'breached', 'dropped', 'withdrawn'] as const
export type SlaOutcome = (typeof slaOutcomes)[number]

/** Why a clock stands; `no_target`: its policy promises nothing for it, `merged`: its ticket was part of another one. */
export const slaPauseReasons = ['answered', 'snoozed', 'closed', 'merged', 'trash', 'no_target'] as const
export type SlaPauseReason = (typeof slaPauseReasons)[number]

/** Why a clock is due at another time, or is not late any more. */
export const slaCauses = ['priority', 'policy', 'calendar', 'merge', 'unmerge', 'split', 'in_time'] as const
export type SlaCause = (typeof slaCauses)[number]

/** A stretch in which a clock ran, under one calendar, and how much of it was open. All in milliseconds. */
type SlaLedgerEntry = readonly [from: number, to: number, calendarId: number, counted: number]
export type SlaLedger = SlaLedgerEntry[]

/** A change of a clock's course, for its explanation; `by` is the row of the event that caused it. */
export interface SlaTurn {
  at: number
  by: number
  what: 'started' | 'paused' | 'resumed' | SlaCause
  due: number | null
  reason?: SlaPauseReason
  calendar_id: number
  target_minutes: number
  counted_ms: number
}

type Json<T> = ColumnType<T, string, string>

interface SlaClockTable {
  id: Id
  ticket_id: number
  metric: SlaMetric
  policy_id: number
  policy_version: number
  /** The priority that its target is for. */
  priority: TicketPriority
  calendar_id: number
  target_minutes: number
  started_at: Date
  /** The event with which it began, by its row in `events`. */
  started_by: number
  ledger: Json<SlaLedger>
  /** The sum of the ledger: what was counted until it last stood or moved. */
  counted_ms: number
  /** Since when it counts without a line of the ledger; null if it stands or has ended. */
  runs_since: Date | null
  state: 'running' | 'paused'
  pause_reason: SlaPauseReason | null
  /** Null while it stands, and if its calendar never opens again. */
  due_at: Date | null
  /** When less than a quarter of the target is left; null while it stands. */
  soon_at: Date | null
  warn_at: Date | null
  warned_at: Date | null
  breached_at: Date | null
  ended_at: Date | null
  ended_by: number | null
  outcome: SlaOutcome | null
  turns: Json<SlaTurn[]>
}
export type SlaClockRow = Selectable<SlaClockTable>

/** A message that waits for an answer, and since when: the time at which it was received. */
export type Unanswered = [messageId: number, at: number]

/** What waits for an answer in a ticket that was merged into another one. */
export interface Absorbed {
  waitsSince: number | null
  mergedAt: number
}

/** What the reader of the log remembers of a ticket beside its clocks. In milliseconds. */
export interface StoredTicketState {
  /** The newest event that was read, by its row, and its time. */
  by: number
  at: number
  openedAt: number
  /** From where the solution is counted: from the opening, or from when it was last reopened. */
  solvesFrom: number
  /** The messages of the client in this thread that nobody has answered, oldest first; the first of very many. */
  unanswered: Unanswered[]
  /** Those of them that were split off, in case that is undone. */
  splitOff: Unanswered[]
  /** The same of the tickets that were merged into it, by their ids, and when they were merged. */
  absorbed: Record<number, Absorbed>
  hasAnswer: boolean
  isTrashed: boolean
  isSnoozed: boolean
  isMerged: boolean
  isErased: boolean
  policyId: number | null
  /** From when on which of them hold: answered, snoozed, closed, merged, in the trash. */
  standing: [at: number, reasons: SlaPauseReason[]][]
}

interface SlaTicketTable {
  ticket_id: number
  state: Json<StoredTicketState & { facts: object }>
}

interface SlaRecomputationTable {
  id: Id
  cause: 'policy' | 'calendar'
  /** The policy or calendar, or if tickets choose anew the tag that they have; null: all of them. */
  subject_id: number | null
  /** Whether open tickets choose their policy anew. */
  chooses: boolean
  /** The event that asked for it, by its row. */
  event_id: number
  /** Tickets up to this one are done. */
  after_id: Generated<number>
  done: Generated<number>
  created_at: Date
  finished_at: Date | null
}
export type SlaRecomputationRow = Selectable<SlaRecomputationTable>
