import type { EventKind } from './catalogue.ts'

/** An event, as readers of the log get it: ids and small facts, never the text of a message or note. */
export interface DeskEvent {
  /** The position in the log: sequential numbers without gaps, in commit order. It is public, and serves as the cursor. */
  id: number
  kind: EventKind
  at: Date
  subject_type: string
  subject_id: number | null
  ticket_id: number | null
  client_id: number | null
  /** The department of the ticket at the time, by its row's id. */
  department_id: number | null
  /** `name` as it was at the time. */
  actor: { type: 'client' | 'staff' | 'system'; id: number | null; name: string }
  before: object | null
  after: object | null
  request_id: string | null
  /** Nobody is to be notified of it by e-mail. */
  is_silent: boolean
}
