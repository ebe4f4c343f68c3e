import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'
import type { FieldValues } from './fields.ts'

export interface TicketTables {
  tickets: TicketTable
  ticket_counts: TicketCountTable
  /** What `clients.ticket_count` does not include yet; see `src/tickets/ticket/client-ticket-counts.ts`. */
  client_ticket_changes: { client_id: number; tickets: number }
  ticket_watchers: { ticket_id: number; staff_id: number; created_at: CreatedAt }
}

export const ticketPriorities = ['Low', 'Medium', 'High', 'Critical'] as const
export type TicketPriority = (typeof ticketPriorities)[number]

export const ticketStatuses = ['Open', 'In Progress', 'Answered', 'Customer-Reply', 'Closed'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

interface TicketTable {
  id: Id
  ticket_number: Generated<string>
  client_id: number
  /** The client's address when it came by e-mail or by the form, in lower case; null if it was written through the API. */
  client_email: string | null
  /** Whoever reads the e-mails to that address has confirmed the form. */
  is_client_email_confirmed: Generated<boolean>
  /** That of the client when the ticket was opened. */
  organisation_id: number | null
  department_id: number
  assigned_staff_id: number | null
  subject: string
  priority: Generated<TicketPriority>
  status: Generated<TicketStatus>
  message_count: Generated<number>
  attachment_count: Generated<number>
  /** When it last changed from Answered or Closed to a status that waits for staff. Null: never, so it waits since it was opened. */
  waiting_since: Date | null
  /** Since when the client has been waiting for an answer; valid while `unanswered_of` is the number of messages. */
  unanswered_since: Date | null
  unanswered_of: number | null
  version: GeneratedAlways<number>
  trashed_at: Date | null
  merged_into_id: number | null
  closed_at: GeneratedAlways<Date | null>
  thread_id: GeneratedAlways<string>
  /** Of custom fields, as in `ticket_fields` but for long texts: a copy by which lists are filtered. Clients may not read all of them. */
  field_values: GeneratedAlways<FieldValues | null>
  created_at: CreatedAt
  updated_at: CreatedAt
}
export type TicketRow = Selectable<TicketTable>

/** Counts tickets that are neither in the trash nor merged. Several rows may have the same key: their sum counts. */
interface TicketCountTable {
  id: Id
  department_id: number
  status: TicketStatus
  assigned_staff_id: number | null
  tickets: number
  is_sum: Generated<boolean>
}
