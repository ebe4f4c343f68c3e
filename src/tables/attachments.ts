import type { Generated, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface AttachmentTables {
  ticket_attachments: TicketAttachmentTable
  removed_files: { file_path: string }
}

/** Files are given out when they are `clean`; where nothing looks into them they are so from the start. */
export type ScanState = 'pending' | 'clean' | 'infected'

interface TicketAttachmentTable {
  id: Id
  /** Null for a file of a note and for a raw e-mail: what asks for the files of tickets never meets one. */
  ticket_id: number | null
  message_id: number | null
  note_id: number | null
  /** The e-mail that came in of which this is the raw message. */
  mail_id: number | null
  file_name: string
  file_path: string
  file_type: string
  file_size: Generated<number>
  sha256: string
  scan_state: Generated<ScanState>
  scan_answer: string | null
  scanned_at: Date | null
  /** By which the HTML of its e-mail names it. */
  content_id: string | null
  created_at: CreatedAt
}
export type TicketAttachmentRow = Selectable<TicketAttachmentTable>
