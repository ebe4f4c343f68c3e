import type { Generated, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface AttachmentTables {
  ticket_attachments: TicketAttachmentTable
  removed_files: { file_path: string }
}

/** Only `clean` files are sent; without a virus scanner they are clean from the start. */
export type ScanState = 'pending' | 'clean' | 'infected'

interface TicketAttachmentTable {
  id: Id
  /** Null for a file of a note and for a raw e-mail: queries for the files of tickets never find one. */
  ticket_id: number | null
  message_id: number | null
  note_id: number | null
  side_message_id: number | null
  /** The inbound e-mail whose raw message this is. */
  mail_id: number | null
  file_name: string
  file_path: string
  file_type: string
  file_size: Generated<number>
  sha256: string
  scan_state: Generated<ScanState>
  scan_answer: string | null
  scanned_at: Date | null
  /** The name by which its e-mail's HTML refers to it. */
  content_id: string | null
  created_at: CreatedAt
}
export type TicketAttachmentRow = Selectable<TicketAttachmentTable>
