import type { ColumnType, Generated, Selectable } from 'kysely'
import type { MailboxReason } from '../../platform/mail/mailbox-fault.ts'
import type { CreatedAt, Id } from './columns.ts'

export interface MailTables {
  inbound_mails: InboundMailTable
  message_emails: MessageEmailTable
  sent_emails: SentEmailTable
  undeliverable_addresses: UndeliverableAddressTable
  mailboxes: MailboxTable
  mailbox_tokens: MailboxTokenTable
  connected_mailboxes: ConnectedMailboxTable
  mailbox_sign_ins: MailboxSignInTable
  blocked_senders: BlockedSenderTable
  former_addresses: FormerAddressTable
}

/** The way in which an e-mail was received. */
export type MailChannel = 'command' | 'lmtp' | 'smtp' | 'imap' | 'api'

/** `received`: stored, but not processed yet. */
export type MailState = 'received' | 'ticket' | 'reply' | 'held' | 'bounce' | 'dropped' | 'refused'

/** An inbound e-mail. Its raw message is a file of `ticket_attachments`. */
interface InboundMailTable {
  id: Id
  /** Of the raw message, lower-case hex. */
  sha256: string
  /** Digests that identify a second copy of the same e-mail, received another way with other bytes. Null without a Message-ID. */
  date_key: string | null
  body_key: string | null
  /** The Message-ID without its angle brackets. */
  message_ref: string | null
  via: MailChannel
  /** From the mail server; an empty sender is the null sender of bounces. */
  envelope_recipient: string | null
  envelope_sender: string | null
  /** The mail server that delivered it, if not one of ours, and the name it gave. */
  peer_address: string | null
  peer_name: string | null
  size_bytes: number
  /** The result of authenticating the sender; null before that. */
  authentication: ColumnType<Authentication | null, string | null | undefined, string | null>
  state: Generated<MailState>
  /** Why it was held, dropped or refused. */
  reason: string | null
  /** Why it was held, once somebody has decided on it. */
  held_reason: string | null
  /** How many times processing has started. */
  attempts: Generated<number>
  sender: string | null
  sender_name: string | null
  subject: string | null
  is_automatic: Generated<boolean>
  client_id: number | null
  ticket_id: number | null
  message_id: number | null
  /** The connected mailbox from which it was fetched, which may be deleted. */
  mailbox_id: Generated<number | null>
  /** The message of a side conversation that was made of it. */
  side_message_id: number | null
  received_at: CreatedAt
  settled_at: Date | null
}
export type InboundMailRow = Selectable<InboundMailTable>

/** The result of one check of an e-mail, in the words of RFC 8601: pass, fail, softfail, neutral, none, policy, temperror, permerror. */
interface AuthenticationCheck {
  result: string
  /** The domain that the check is about. */
  domain: string | null
  reason: string | null
}

/**
 * The result of authenticating an e-mail's sender. `none`: nothing confirms or denies it; `unknown`: it could not be checked. `reason`: the
 * check that decided, or why none did.
 */
export interface Authentication {
  verdict: 'pass' | 'fail' | 'none' | 'unknown'
  reason: AuthenticationReason
  /** The mail server whose result was trusted; "deskline": we checked ourselves; null: nobody has. */
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

/** What a message that came by e-mail has beyond its new text. */
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
  /** A ticket that the e-mail refers to although its sender is not a participant of it. */
  linked_ticket_id: number | null
  /** The staff member who forwarded it to the desk. */
  forwarded_by: ColumnType<MailPerson | null, string | null | undefined, string | null>
  /** Attachments that were not stored, and why. */
  omitted: ColumnType<{ file_name: string; reason: string }[], string | undefined, string>
}

/** An e-mail that was sent. `ref` is the part of its Message-ID before the @. */
interface SentEmailTable {
  id: Id
  ref: string
  outbox_message_id: number
  kind: string
  recipient: string
  client_id: number | null
  ticket_id: number | null
  /** The ticket's messages that it contains. */
  message_ids: ColumnType<number[], readonly number[] | undefined, readonly number[]>
  /** The message of a side conversation that it contains; such an e-mail belongs to no ticket, so that no answer to it gets into a thread. */
  side_message_id: number | null
  bounced_at: Date | null
  /** 5.2.2 */
  bounce_status: string | null
  bounce_reason: string | null
  /** Staff know that it came back, and need not be told any more. */
  dismissed_at: Date | null
  /** Delivery or delay, as reported by mail servers on the way. */
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

/** A mailbox that is polled over IMAP. */
interface MailboxTable {
  id: Id
  /** Its address in `IMAP_URL` without the password. */
  name: string
  /** The process that has leased it, and until when. */
  holder: string | null
  held_until: Date | null
  /** When it was last polled, and when an e-mail was last taken from it. */
  looked_at: Date | null
  mail_at: Date | null
  /** What was left in it at the last poll. */
  unread_mails: Generated<number>
  oldest_unread_at: Date | null
  /** Null while it works. */
  failing_since: Date | null
  /** In plain words; it stays after the mailbox works again. */
  last_error: string | null
  /** The error as a code, and the server's text; null if a process of a former version stored the error. */
  last_error_code: Generated<MailboxReason | null>
  last_error_said: Generated<string | null>
  last_error_at: Date | null
  created_at: CreatedAt
}

/** The current refresh token in place of a configured one: the same, or the provider's replacement. */
interface MailboxTokenTable {
  /** Of the configured client and token. */
  configured_sha256: string
  sealed_token: string
  replaced_at: Date
  /** The process that is refreshing it, and until when that counts. */
  renewed_by: Generated<string | null>
  renewing_until: Generated<Date | null>
}

/** How to reach a server of a connected mailbox. The password is among its sealed secrets. */
export interface MailboxServer {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  user: string
  /** The certificate (PEM) that an admin trusts although nobody vouches for it. */
  certificate: string | null
}

/** The client of a connected mailbox at its provider. */
export interface MailboxOAuth {
  provider: 'google' | 'microsoft' | 'custom'
  client_id: string
  authorize_url: string
  token_url: string
  scope: string
}

/** A text in each language of the desk, for those in which there is one. */
export type TextsByLanguage = { en?: string; de?: string }

/** A mailbox that an admin has connected in the browser. */
interface ConnectedMailboxTable {
  id: Id
  /** The name that people see as the sender. */
  name: string
  address: string
  /** The address without its plus part, in lower case. */
  address_key: string
  deptid: number
  imap: ColumnType<(MailboxServer & { folder: string }) | null, string | null, string | null>
  smtp: ColumnType<MailboxServer | null, string | null, string | null>
  auth: 'password' | 'oauth2'
  oauth: ColumnType<MailboxOAuth | null, string | null, string | null>
  sealed_secrets: string
  /** Who signed in at the provider for it, and when that and the client secret end, as far as known. */
  signed_in_as: string | null
  signed_in_at: Date | null
  sign_in_ends_at: Date | null
  secret_ends_at: Date | null
  signature: ColumnType<TextsByLanguage, string, string>
  acknowledges: boolean
  acknowledgement: ColumnType<TextsByLanguage, string, string>
  /** Whether it starts the e-mails of its department. */
  is_default: boolean
  is_active: boolean
  /** What becomes of people who never wrote before; null for what the desk does. */
  unknown_senders: 'create' | 'verified' | 'hold' | 'refuse' | null
  spam_folder: string | null
  taken: 'seen' | 'move' | 'delete'
  moved_to: string | null
  /** Older unread e-mails are not fetched; null if all are. */
  begins_at: Date | null
  /** Null while it sends. */
  smtp_failing_since: Date | null
  smtp_error: string | null
  smtp_retry_at: Date | null
  sent_at: Date | null
  told_at: Date | null
  version: Generated<number>
  created_at: CreatedAt
  updated_at: Date
}
export type ConnectedMailboxRow = Selectable<ConnectedMailboxTable>

/** A sign-in at a provider that is under way. */
interface MailboxSignInTable {
  state_sha256: string
  cookie_sha256: string
  mailbox_id: number
  staff_id: number
  /** The login that began it: it must still be open when it ends. */
  session_id: number
  sealed_verifier: string
  expires_at: Date
  used_at: Date | null
}

/** An address of the desk that was deleted, without its plus part, in lower case, and the one that answers in its tickets. */
interface FormerAddressTable {
  address_key: string
  answers_from: string
  created_at: ColumnType<Date, Date, never>
}

/** E-mails of these senders are dropped. `sender` is an address, or an @ and a domain, in lower case. */
interface BlockedSenderTable {
  id: Id
  sender: string
  blocked_by: number | null
  created_at: CreatedAt
}
export type BlockedSenderRow = Selectable<BlockedSenderTable>
