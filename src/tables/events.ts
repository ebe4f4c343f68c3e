import type { Generated, JSONColumnType } from 'kysely'
import type { ActorType, CreatedAt, Id } from './columns.ts'

export interface EventTables {
  events: EventTable
  event_places: { place: number; event_id: number }
  event_sequencer: EventSequencerTable
}

interface EventTable {
  id: Id
  kind: string
  subject_type: Generated<string>
  /** Null where the subject is the ticket. */
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
  /** When it was decided whom an e-mail tells of it, if anybody. */
  told_at: Date | null
  /** No e-mail could be made: it counts as if it had happened then. */
  postponed_to: Date | null
  /** Whether the audit log tells of it. */
  is_audited: Generated<boolean>
  /** What the audit log tells in place of before and after, until it does. */
  audited: JSONColumnType<object | null, string | null, string | null>
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
