import type { ColumnType, Generated, Selectable } from 'kysely'
import type { CreatedAt, Id } from './columns.ts'

export interface MailTables {
  inbound_mails: InboundMailTable
  message_emails: MessageEmailTable
  sent_emails: SentEmailTable
  undeliverable_addresses: UndeliverableAddressTable
}

/** By which way a mail came in. */
export type MailChannel = 'command' | 'lmtp' | 'smtp' | 'imap' | 'api'

/** `received`: it is stored, and nothing has been decided yet. */
export type MailState = 'received' | 'ticket' | 'reply' | 'held' | 'bounce' | 'dropped' | 'refused'

/** An e-mail that came in. Its raw message is a file of `ticket_attachments`. */
interface InboundMailTable {
  id: Id
  /** Of the raw message, lower-case hex. */
  sha256: string
  /** Digests by which the same mail is known that came by another way, with other bytes. Null without a Message-ID. */
  date_key: string | null
  body_key: string | null
  /** The Message-ID without its angle brackets. */
  message_ref: string | null
  via: MailChannel
  /** As the mail server says; an empty sender is the null sender of bounces. */
  envelope_recipient: string | null
  envelope_sender: string | null
  size_bytes: number
  state: Generated<MailState>
  /** Why it was held, dropped or refused. */
  reason: string | null
  /** How often somebody has begun to read it. */
  attempts: Generated<number>
  sender: string | null
  sender_name: string | null
  subject: string | null
  is_automatic: Generated<boolean>
  client_id: number | null
  ticket_id: number | null
  message_id: number | null
  received_at: CreatedAt
  settled_at: Date | null
}
export type InboundMailRow = Selectable<InboundMailTable>

export interface MailPerson {
  name: string
  email: string
}

/** What a message has beyond its new words when it came by e-mail. */
interface MessageEmailTable {
  message_id: number
  mail_id: number | null
  message_ref: string | null
  from_email: string | null
  from_name: string | null
  recipients: ColumnType<{ to: MailPerson[]; cc: MailPerson[] }, string, string>
  subject: string
  quoted: Generated<string>
  /** Sanitised. */
  html: string | null
  is_automatic: Generated<boolean>
  /** A ticket that the mail names, but of which its sender is no part. */
  linked_ticket_id: number | null
  /** Files that were left out, and why. */
  omitted: ColumnType<{ file_name: string; reason: string }[], string | undefined, string>
}

/** An e-mail that was sent. `ref` is the part of its Message-ID before the @. */
interface SentEmailTable {
  id: Id
  ref: string
  letter_id: number
  kind: string
  recipient: string
  client_id: number | null
  ticket_id: number | null
  /** The messages of the ticket that it tells. */
  message_ids: ColumnType<number[], readonly number[] | undefined, readonly number[]>
  bounced_at: Date | null
  /** 5.2.2 */
  bounce_status: string | null
  bounce_reason: string | null
  created_at: CreatedAt
}

interface UndeliverableAddressTable {
  email: string
  is_permanent: boolean
  bounces: Generated<number>
  status: string | null
  reason: string
  last_at: Date
}
