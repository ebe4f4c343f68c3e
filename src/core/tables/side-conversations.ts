import type { ColumnType, Generated } from 'kysely'
import type { Id } from './columns.ts'

export interface SideConversationTables {
  side_conversations: SideConversationTable
  side_participants: SideParticipantTable
  side_messages: SideMessageTable
}

interface SideConversationTable {
  id: Id
  ticket_id: number
  subject: string
  /** Made into the Message-IDs of its e-mails, which nobody else can guess. */
  thread_id: string
  /** Closing the ticket waits for the answer. */
  waits: boolean
  is_closed: Generated<boolean>
  /** Whether a third party wrote last. */
  is_answered: Generated<boolean>
  started_by: number | null
  /** The messages of the ticket that went along at the beginning. */
  message_ids: ColumnType<number[], readonly number[], readonly number[]>
  created_at: Date
  updated_at: Date
}

interface SideParticipantTable {
  id: Id
  conversation_id: number
  email: string
  name: Generated<string>
  /** `new`: wrote without having been asked. */
  role: 'to' | 'cc' | 'new'
  created_at: Date
}

/** A message of the ticket as it was sent along. */
export interface ForwardedMessage {
  message_id: number
  by: string
  is_client: boolean
  text: string
  at: string
}

interface SideMessageTable {
  id: Id
  conversation_id: number
  staff_id: number | null
  sender_name: string
  /** Of the third party; null for staff. */
  sender_email: string | null
  message: string
  formatted_html: string | null
  quoted: Generated<string>
  email_html: string | null
  is_automatic: Generated<boolean>
  forwarded: ColumnType<ForwardedMessage[], string | undefined, string>
  forwarded_files: ColumnType<number[], readonly number[] | undefined, readonly number[]>
  created_at: Date
}
