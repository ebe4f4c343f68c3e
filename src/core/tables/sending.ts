import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { TicketStatus } from './tickets.ts'

export interface SendingTables {
  waiting_replies: WaitingReplyTable
  reply_recipients: ReplyRecipientsTable
  ticket_drafts: TicketDraftTable
  staff_signatures: StaffSignatureTable
}

/** Who gets a reply by e-mail, as its writer has chosen. */
export interface Recipients {
  /** The address that sends; null: the one that the ticket's e-mails usually come from. */
  from: string | null
  /** Whether the ticket's client gets it. */
  client: boolean
  /** Others to whom it is addressed, beside the client or in their place. */
  to: string[]
  /** Null: whoever follows the ticket when it is sent. */
  cc: string[] | null
  bcc: string[]
  /** Those in `cc` who do not follow the ticket from now on. */
  cc_once: string[]
  signature: 'both' | 'address' | 'none'
}

/** A reply that its writer may still take back, and one that did not go. */
interface WaitingReplyTable {
  /** That the message will have. */
  message_id: number
  ticket_id: number
  staff_id: number
  state: Generated<'waiting' | 'stopped' | 'undone'>
  sends_at: Date
  message: string
  format: 'plain' | 'markdown' | null
  status: TicketStatus
  force_close: boolean
  /** That is applied with it. */
  macro_id: number | null
  /** The kinds of its actions that are left out. */
  macro_without: Generated<string[]>
  recipients: JSONColumnType<Recipients | null, string | null, never>
  /** As they are stored already. */
  files: JSONColumnType<object[], string, never>
  ip_address: string | null
  request_id: string | null
  stopped_reason: string | null
  created_at: ColumnType<Date, Date, never>
}

interface ReplyRecipientsTable {
  message_id: number
  recipients: JSONColumnType<Recipients, string, never>
  created_at: ColumnType<Date, Date, never>
}

/** What a draft says of its recipients and its form, as it was given. */
export interface DraftRecipients {
  format?: 'plain' | 'markdown' | undefined
  from?: string | null | undefined
  to?: string[] | null | undefined
  cc?: string[] | null | undefined
  bcc?: string[] | undefined
  cc_once?: string[] | undefined
}

/** A reply that somebody has begun. */
interface TicketDraftTable {
  ticket_id: number
  staff_id: number
  message: string
  recipients: JSONColumnType<DraftRecipients, string, string>
  version: number
  updated_at: Date
}

/** A text in each language. */
export type SignatureTexts = Partial<Record<'en' | 'de', string>>

/** What stands below the e-mails of a member of staff. */
interface StaffSignatureTable {
  staff_id: number
  texts: JSONColumnType<SignatureTexts, string, string>
  updated_at: Date
}
