import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Id } from './columns.ts'

export interface SideConversationTables {
  side_conversations: SideConversationTable
  side_participants: SideParticipantTable
  side_messages: SideMessageTable
  waiting_side_messages: WaitingSideMessageTable
}

interface SideConversationTable {
  id: Id
  ticket_id: number
  subject: string
  /** Made into the Message-IDs of its e-mails, which nobody else can guess. */
  thread_id: string
  /** Closing the ticket waits for the answer, and the answer ends its snooze. */
  waits: boolean
  is_closed: Generated<boolean>
  /** Whether a third party wrote last. */
  is_answered: Generated<boolean>
  started_by: number | null
  /** The messages of the ticket that went along at the beginning. */
  message_ids: ColumnType<number[], readonly number[], readonly number[]>
  /** What the client or a follower wrote to its address: messages of the thread. */
  client_message_ids: ColumnType<number[], undefined, never>
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
  id: Generated<number>
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
  /** The third party sent it to an address of the client too. */
  copies_client: Generated<boolean>
  forwarded: ColumnType<ForwardedMessage[], string | undefined, string>
  forwarded_files: ColumnType<number[], readonly number[] | undefined, readonly number[]>
  created_at: Date
}

/** To whom a message goes that begins a side conversation, and what goes along. */
export interface GivenForwarding {
  to: readonly string[]
  cc: readonly string[]
  subject: string
  messageIds: readonly number[]
  attachmentIds: readonly number[]
  waits: boolean
  /** Whether the client is called "Client" in what goes along. */
  hidesClient: boolean
}

/** A message to a third party that its writer may still take back, and one that did not go. */
interface WaitingSideMessageTable {
  /** That the message will have. */
  side_message_id: number
  ticket_id: number
  /** Null: it begins one. */
  conversation_id: number | null
  staff_id: number
  state: Generated<'waiting' | 'stopped' | 'undone'>
  sends_at: Date
  message: string
  format: 'plain' | 'markdown' | null
  forwarding: JSONColumnType<GivenForwarding | null, string | null, never>
  /** As they are stored already. */
  files: JSONColumnType<object[], string, never>
  ip_address: string | null
  request_id: string | null
  /** Of rows that were stopped by an older version: the sentence. */
  stopped_reason: string | null
  /** Why it was stopped: see `refusals.ts`, and the address or file that it is about. */
  stopped_code: string | null
  stopped_about: string | null
  created_at: ColumnType<Date, Date, never>
}
