import type { EventCause } from '../tables/events.ts'
import type { EventFacts } from './catalogue.ts'

/**
 * An event, as readers of the log get it: `kind` tells what it carries before and after, which is ids and small facts, never the text of a
 * message or note. Events of a ticket that was deleted for good keep only numbers and our own terms of these.
 */
export type DeskEvent = EventFacts & EventFields

interface EventFields {
  /** The position in the log: sequential numbers without gaps, in commit order. It is public, and serves as the cursor. */
  id: number
  at: Date
  subject_type: string
  subject_id: number | null
  ticket_id: number | null
  client_id: number | null
  /** The department of the ticket at the time, by its row's id. */
  department_id: number | null
  /** `name` as it was at the time. */
  actor: { type: 'client' | 'staff' | 'system'; id: number | null; name: string }
  request_id: string | null
  /** Nobody is to be notified of it by e-mail. */
  is_silent: boolean
  /** What made the system act; null if a person did. */
  cause: EventCause | null
}
