import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface QueueTables {
  ticket_reads: TicketReadTable
  /** Up to here everything was written before read marks existed; no row in a desk that had them from the start. */
  ticket_views: TicketViewTable
}

/** How far a staff member has read a ticket; their own messages are never unread. */
interface TicketReadTable {
  ticket_id: number
  staff_id: number
  message_id: number
  note_id: number
  side_message_id: number | null
}

/** A saved query of the queue, personal or shared; the owner of a shared one may have been deleted. */
interface TicketViewTable {
  id: Id
  personal_to: number | null
  shared_by: number | null
  is_shared: boolean
  name: string
  /** As it was given, without its conditions. */
  query: JSONColumnType<object, string, string>
  /** All that its tickets fit, its filters first; valid for this version of the row. */
  conditions: JSONColumnType<object | null, string, string>
  conditions_version: number | null
  position: number
  version: Generated<number>
  created_at: CreatedAt
  updated_at: CreatedAt
}
export type TicketViewRow = Selectable<TicketViewTable>
