import type { EventKind } from './catalogue.ts'

/** What happened, as readers of the log are told: ids and small facts, never the words of a message or a note. */
export interface DeskEvent {
  /** The place in the log: dense numbers, in the order in which the rows were seen committed. Public, and a cursor. */
  id: number
  kind: EventKind
  at: Date
  subject_type: string
  subject_id: number | null
  ticket_id: number | null
  client_id: number | null
  /** The department of the ticket at the time, by its row's id. */
  department_id: number | null
  /** `name` as it was then. */
  actor: { type: 'client' | 'staff' | 'system'; id: number | null; name: string }
  before: object | null
  after: object | null
  request_id: string | null
}
