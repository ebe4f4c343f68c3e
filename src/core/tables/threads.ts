import type { ColumnType, Generated } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface ThreadTables {
  ticket_messages: TicketMessageTable
  ticket_notes: TicketNoteTable
}

interface TicketMessageTable {
  id: Id
  ticket_id: number
  client_id: number | null
  staff_id: number | null
  sender_type: Generated<'client' | 'support' | 'admin'>
  sender_first_name: string
  sender_last_name: string
  message: string
  /** The sanitised HTML of a text that was written in Markdown; null for a plain one. */
  formatted_html: string | null
  /** The address of the ticket's client when it came by e-mail or by the form, in lower case; null if it was written through the API. */
  client_email: string | null
  created_at: CreatedAt
  /** What the search finds it by; made by the database. */
  words: ColumnType<string, never, never>
}

interface TicketNoteTable {
  id: Id
  ticket_id: number
  staff_id: number | null
  author_first_name: string
  author_last_name: string
  note: string
  /** As of a message. */
  formatted_html: string | null
  created_at: CreatedAt
  words: ColumnType<string, never, never>
}
