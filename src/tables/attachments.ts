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
  /** Null for a file of a note: what asks for the files of tickets never meets one. */
  ticket_id: number | null
  message_id: number | null
  note_id: number | null
  file_name: string
  file_path: string
  file_type: string
  file_size: Generated<number>
  sha256: string
  scan_state: Generated<ScanState>
  scan_answer: string | null
  scanned_at: Date | null
  created_at: CreatedAt
}
export type TicketAttachmentRow = Selectable<TicketAttachmentTable>
