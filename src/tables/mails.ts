import type { ColumnType, Generated, Selectable } from 'kysely'
import type { MailboxReason } from '../platform/mail/mailbox-fault.ts'
import type { CreatedAt, Id } from './columns.ts'

export interface MailTables {
  inbound_mails: InboundMailTable
  message_emails: MessageEmailTable
  sent_emails: SentEmailTable
  undeliverable_addresses: UndeliverableAddressTable
  mailboxes: MailboxTable
  mailbox_tokens: MailboxTokenTable
  blocked_senders: BlockedSenderTable
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
  /** The mail server that handed it over, where it is not one of ours, and what it called itself. */
  peer_address: string | null
  peer_name: string | null
  size_bytes: number
  /** How sure it is who wrote; null before that was looked into. */
  authentication: ColumnType<Authentication | null, string | null | undefined, string | null>
  state: Generated<MailState>
  /** Why it was held, dropped or refused. */
  reason: string | null
  /** Why it was held, where somebody has decided what becomes of it. */
  held_reason: string | null
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

/** What one check of an e-mail says, in the words of RFC 8601: pass, fail, softfail, neutral, none, policy, temperror, permerror. */
interface AuthenticationCheck {
  result: string
  /** Whom it is about. */
  domain: string | null
  reason: string | null
}

/**
 * How sure it is that an e-mail was written by whom it names. `none`: nobody says so, and nobody denies it; `unknown`: it could not be
 * checked. `reason`: by which check it was decided, or why it was not.
 */
export interface Authentication {
  verdict: 'pass' | 'fail' | 'none' | 'unknown'
  reason: AuthenticationReason
  /** The mail server whose word was taken; "deskline": we have looked ourselves; null: nobody has. */
  checked_by: string | null
  spf: AuthenticationCheck | null
  dkim: AuthenticationCheck | null
  dmarc: AuthenticationCheck | null
  arc: AuthenticationCheck | null
}

export const authenticationReasons = [
  'dmarc',
  'dkim',
  'spf',
  'arc',
  'nothing_said',
  'several_authors',
  'reply_to',
  'not_checked',
  'no_answer',
  'too_much'
] as const
type AuthenticationReason = (typeof authenticationReasons)[number]

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
  /** The member of the staff who passed it on to the desk. */
  forwarded_by: ColumnType<MailPerson | null, string | null | undefined, string | null>
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
  /** That it arrived, or is late, as servers on the way have told. */
  delivered_at: Date | null
  delayed_at: Date | null
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
export type UndeliverableAddressRow = Selectable<UndeliverableAddressTable>

/** A mailbox that is emptied over IMAP. */
interface MailboxTable {
  id: Id
  /** Its address in `IMAP_URL` without the password. */
  name: string
  /** The process that is at it, until then. */
  holder: string | null
  held_until: Date | null
  /** When somebody last saw what is in it, and when a mail last came out of it. */
  looked_at: Date | null
  mail_at: Date | null
  /** What was still to be taken at the last look. */
  unread_mails: Generated<number>
  oldest_unread_at: Date | null
  /** Null while it can be used. */
  failing_since: Date | null
  /** In plain words; it stays when the mailbox can be used again. */
  last_error: string | null
  /** The same for programs, and what the other side said; null where a process of a former version wrote it first. */
  last_error_code: Generated<MailboxReason | null>
  last_error_said: Generated<string | null>
  last_error_at: Date | null
  created_at: CreatedAt
}

/** The refresh token of a configured one: that one, or what a provider has put in its place. */
interface MailboxTokenTable {
  /** Of the client and the token that are configured. */
  configured_sha256: string
  sealed_token: string
  replaced_at: Date
  /** Who exchanges it at the moment, and until when that counts. */
  renewed_by: Generated<string | null>
  renewing_until: Generated<Date | null>
}

/** Mails of these senders are dropped. `sender` is an address, or an @ and a domain, in small letters. */
interface BlockedSenderTable {
  id: Id
  sender: string
  blocked_by: number | null
  created_at: CreatedAt
}
export type BlockedSenderRow = Selectable<BlockedSenderTable>
