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
