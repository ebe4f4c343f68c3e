import type { Generated, JSONColumnType } from 'kysely'
import type { ActorType, CreatedAt, Id } from './columns.ts'

export interface EventTables {
  events: EventTable
  event_places: { place: number; event_id: number }
  event_sequencer: EventSequencerTable
  pending_notifications: PendingNotificationTable
  /** How far each reader of the log is: events up to `place` are handled. */
  event_readers: { name: string; place: Generated<number> }
}

interface EventTable {
  id: Id
  kind: string
  subject_type: Generated<string>
  /** Null if the subject is the ticket. */
  subject_id: number | null
  ticket_id: number | null
  client_id: number | null
  department_id: number | null
  actor_type: ActorType
  actor_id: number | null
  actor_name: string
  before: JSONColumnType<object | null, string | null, string | null>
  after: JSONColumnType<object | null, string | null, string | null>
  ip_address: string | null
  request_id: string | null
  created_at: CreatedAt
  /** Nobody is notified of it by e-mail, whatever its kind. */
  is_silent: Generated<boolean>
  /** Whether the event belongs in the audit log. */
  is_audited: Generated<boolean>
  /** What the audit log records in place of before and after; null once it has. */
  audited: JSONColumnType<object | null, string | null, string | null>
  /** What made the system act, or the macro that a person applied; null if a person did it by hand. */
  cause: JSONColumnType<EventCause | null, string | null, string | null>
}

/**
 * Why something was done: the rule, macro or import, with its name at the time, and the event that set it off, if one did. `chain_id` is the first event of the act with which it all
 * began, and `depth` the number of steps since; events without a cause are at depth 0.
 */
export interface EventCause {
  rule_id?: number
  macro_id?: number
  import_id?: number
  name?: string
  /** The run of the rule. */
  run_id?: number
  event_id: number | null
  chain_id: number | null
  depth: number
}

/** An event of which somebody may have to be notified by e-mail, by its position in the log. */
interface PendingNotificationTable {
  event_id: number
  ticket_id: number
  happened_at: Date
  due_at: Date
}

interface EventSequencerTable {
  only_row: Generated<boolean>
  last_place: number
  seen_id: number
  gaps: JSONColumnType<Gap[], string, string>
}

/** Ids that were missing when later ones were seen: see `gaps.ts` of the events. */
export interface Gap {
  from: number
  to: number
  next: string
  seconds: number
}
