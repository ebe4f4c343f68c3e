import type { Generated, JSONColumnType } from 'kysely'
import type { Id } from './columns.ts'

export interface LinkTables {
  ticket_links: TicketLinkTable
  ticket_splits: TicketSplitTable
}

/** `from` blocks `to`, is a duplicate of it, or was split off it. */
export type TicketLinkKind = 'related' | 'blocks' | 'duplicate_of' | 'split_from'

interface TicketLinkTable {
  id: Id
  from_id: number
  to_id: number
  kind: TicketLinkKind
  created_at: Date
}

/** Messages and notes that went from the source into a new ticket. */
interface TicketSplitTable {
  id: Id
  source_id: number
  /** The new ticket, which is gone once the split is undone. */
  target_id: number
  message_ids: number[]
  note_ids: number[]
  /** By the ids of messages, their `client_email` before they went to another client. */
  client_emails: JSONColumnType<Record<string, string>, string | undefined, string>
  created_at: Date
  undone_at: Generated<Date | null>
}
