import type { OpenTime } from '../../core/calendars/open-time.ts'
import type { NewEventFacts } from '../../core/events/catalogue.ts'
import type {
  Absorbed,
  SlaLedger,
  SlaOutcome,
  SlaPauseReason,
  SlaTurn,
  StoredTicketState,
  Unanswered
} from '../../core/tables/sla-clocks.ts'
import type { SlaMetric } from '../../core/tables/sla-policies.ts'
import type { TicketPriority, TicketStatus } from '../../core/tables/tickets.ts'
import type { SlaPolicy } from './policy-types.ts'

// All instants are in milliseconds, as the ledger has them.

/** What the clocks of a ticket need of a policy. */
export type PolicyTerms = Pick<SlaPolicy, 'id' | 'version' | 'targets' | 'pause_on' | 'on_reopen' | 'warn_minutes'>

/** What clocks are counted by: the policies and the calendars as they are now. */
export interface SlaWorld {
  /** The first active policy that fits (S1). */
  choose(ticket: Pick<TicketClocks, 'facts' | 'at'>): PolicyTerms | undefined
  /** The fields that active policies name: an event that changes none of them leaves a ticket its policy. */
  namedFields: ReadonlySet<string>
  /** A policy as it is now; undefined for one that was archived. */
  policy(id: number): PolicyTerms | undefined
  /** Undefined for a calendar that was deleted since: what was counted by it is kept in ledgers. */
  openTime(calendarId: number): OpenTime | undefined
}

/** What the events of a ticket say of it, and clocks keep. Departments are given by their public id. */
export interface SlaFacts {
  status: TicketStatus
  priority: TicketPriority
  department_id: number
  assigned_staff_id: number | null
}

/** A clock of a ticket: a promise that runs, stands or has ended. */
export interface SlaClock {
  /** Null until it is stored. */
  id: number | null
  metric: SlaMetric
  policy_id: number
  policy_version: number
  /** The priority that its target is for. */
  priority: TicketPriority
  calendar_id: number
  target_minutes: number
  started_at: number
  /** The event with which it began, by its row. */
  started_by: number
  ledger: SlaLedger
  /** The sum of the ledger: what was counted until it last stood or moved. */
  counted_ms: number
  /** Since when it counts without a line of the ledger; null if it stands or has ended. */
  runs_since: number | null
  pause_reason: SlaPauseReason | null
  due_at: number | null
  /** When less than a quarter of the target is left. */
  soon_at: number | null
  warn_at: number | null
  warned_at: number | null
  breached_at: number | null
  ended_at: number | null
  ended_by: number | null
  outcome: SlaOutcome | null
  turns: SlaTurn[]
}

/** What is known of a ticket after some of its events. */
export interface TicketClocks extends StoredTicketState {
  facts: SlaFacts
  /** Those that have not ended, the last one of the solution, and those that ended since it was loaded. */
  clocks: SlaClock[]
}

/** What happened to a ticket, as far as clocks care. `by` is the row of the event. */
export type TimelineEvent = { by: number; at: number } & TimelineChange

export type TimelineChange =
  | {
      what: 'opened'
      facts: SlaFacts
      /** What the client waits for; nothing if staff wrote first. */
      unanswered: Unanswered[]
      /** Whether somebody of staff has written already. */
      hasAnswer: boolean
    }
  | {
      what: 'message'
      /** Only a person's answer ends a clock (S3). */
      from: 'client' | 'person' | 'system'
      messageId: number
      receivedAt: number
      status: TicketStatus
    }
  /** `touches`: other fields that were changed. */
  | { what: 'changed'; facts: Partial<SlaFacts>; touches?: readonly string[] }
  | { what: 'merged' }
  /** `parts`: the tickets that had been merged into it and are again; unknown of older events. */
  | { what: 'unmerged'; status: TicketStatus; parts?: readonly number[] }
  /** Another ticket was merged into it; what waits for an answer there, by ticket. */
  | { what: 'absorbed'; waiting: Readonly<Record<number, Absorbed>> }
  | { what: 'released'; tickets: readonly number[] }
  /** Messages went to another ticket, or came back. */
  | { what: 'split' | 'unsplit'; messages: readonly number[] }
  /** It was split off another ticket; what waits in it. */
  | { what: 'split_from'; unanswered: Unanswered[]; hasAnswer: boolean }
  | { what: 'trashed' | 'restored' | 'snoozed' | 'woken' | 'erased' }
  /** A policy or calendar was changed. `chooses`: the policy is chosen anew. */
  | { what: 'recomputed'; cause: 'policy' | 'calendar'; chooses: boolean }

/** An event that the clocks of a ticket cause. */
export type SlaEvent = Extract<NewEventFacts, { kind: `sla.${string}` }>
