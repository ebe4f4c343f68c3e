import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface QueueTables {
  ticket_reads: TicketReadTable
  /** What was written up to here was there before anybody could mark it; no row in a desk that began with marks. */
  read_beginning: { only_row: Generated<boolean>; message_id: number; note_id: number }
  ticket_views: TicketViewTable
}

/** How far a member of staff has read a ticket; what they wrote themselves is never unread. */
interface TicketReadTable {
  ticket_id: number
  staff_id: number
  message_id: number
  note_id: number
}

/** A saved query of the queue: of one person, or of all, in which case whoever made it may be gone. */
interface TicketViewTable {
  id: Id
  personal_to: number | null
  shared_by: number | null
  is_shared: boolean
  name: string
  query: JSONColumnType<object, string, string>
  position: number
  version: Generated<number>
  created_at: CreatedAt
  updated_at: CreatedAt
}
export type TicketViewRow = Selectable<TicketViewTable>
