import type { By } from '../../core/acts/act.ts'
import type { Authentication, InboundMailRow, MailState } from '../../core/tables/mails.ts'
import type { NewStep } from '../../mail/log/mail-steps.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import type { RuledMail } from '../../tickets/rules/mail-rules.ts'
import type { ForwardedMail } from './forwarded-mail.ts'
import type { HoldReason } from './hold-reasons.ts'
import type { MailedFile, Omitted } from './mail-files.ts'

/** The decision on a mail, as it is written into its row. */
export type MailDecision = MailDetails &
  ({ state: 'held'; reason: HoldReason } | { state: Exclude<MailState, 'received' | 'held'>; reason?: string | null })

/** What is known of a mail, whatever the decision. */
export interface MailDetails {
  sender?: string | null
  senderName?: string | null
  subject?: string | null
  authentication?: Authentication | null
  isAutomatic?: boolean
  clientId?: number | null
  ticketId?: number | null
  messageId?: number | null
  /** The message of a side conversation, which no thread shows. */
  sideMessageId?: number | null
  /** For the log: all to whom it was sent, how its ticket was found, what rules said, and the e-mail of ours that it is about. */
  recipients?: readonly string[]
  steps?: readonly NewStep[]
  aboutMessageId?: number | null
}

/** A mail that was parsed, with its files in the store. */
export interface ParsedMail {
  mail: Pick<
    InboundMailRow,
    'id' | 'envelope_recipient' | 'envelope_sender' | 'message_ref' | 'received_at' | 'mailbox_id' | 'size_bytes'
  >
  read: ReadMail
  /** How certain the author is. */
  authentication: Authentication
  /** The mail that it forwards. */
  forward: ForwardedMail | undefined
  files: MailedFile[]
  omitted: readonly Omitted[]
  /** The hash of a password that nobody knows, in case an account has to be opened. */
  password: string | undefined
  /** What rules say of it. */
  ruled?: RuledMail
  /** The staff who release it: they have looked at it, so the checks that would hold or refuse it are skipped. */
  releasedBy?: By
}

export type MailWithSender = ParsedMail & { read: ReadMail & { from: Mailbox } }
