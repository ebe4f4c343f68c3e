import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'
import type { Id } from './columns.ts'
import type { Authentication, MailChannel } from './mails.ts'

export interface MailLogTables {
  mail_log: MailLogTable
}

export const outcomesIn = ['ticket', 'reply', 'held', 'bounce', 'dropped', 'duplicate', 'refused', 'received'] as const
export const outcomesOut = ['queued', 'sent', 'delivered', 'deferred', 'bounced', 'refused'] as const
/** What became of an e-mail; `received`: it is stored and being read. */
export type MailOutcome = (typeof outcomesIn)[number] | (typeof outcomesOut)[number]

/** One thing that happened to an e-mail. */
export interface MailStep {
  step: MailStepName
  /** ISO 8601 */
  at: string
  reason?: string
  /** The words of a server, or the number of the try. */
  detail?: string
  ticket_id?: number
  rule_id?: number
  staff_id?: number
  log_id?: number
}

export const mailStepNames = [
  'received',
  'checked',
  'found',
  'rule',
  ...outcomesIn.filter(outcome => outcome !== 'received'),
  'discarded',
  'restored',
  'released',
  'processed_again',
  'queued',
  'sent',
  'delivered',
  'deferred',
  'bounced',
  'dismissed',
  'sent_again',
  'sent_again_as'
] as const
type MailStepName = (typeof mailStepNames)[number]

/** One row for each e-mail in or out; it outlives the e-mail, its ticket and its people. */
interface MailLogTable {
  id: Id
  direction: 'in' | 'out'
  at: Date
  outcome: MailOutcome
  reason: Generated<string | null>
  /** The channel of an e-mail that came in; the kind of one that goes out. */
  via: Generated<MailChannel | null>
  kind: Generated<string | null>
  sender: string | null
  /** One address a line. */
  recipients: Generated<string>
  subject: Generated<string>
  message_ref: string | null
  size_bytes: number | null
  authentication: ColumnType<Authentication | null, string | null | undefined, string | null>
  verdict: GeneratedAlways<Authentication['verdict'] | null>
  ticket_id: Generated<number | null>
  client_id: Generated<number | null>
  mail_id: Generated<number | null>
  outbox_message_id: Generated<number | null>
  /** The e-mail that a bounce is about, or that was sent again. */
  about_id: Generated<number | null>
  /** It carries a code or a link: nobody is shown its text. */
  is_secret: Generated<boolean>
  is_erased: Generated<boolean>
  steps: ColumnType<MailStep[], string | undefined, string>
  /** What is searched, in lower case. */
  words: GeneratedAlways<string>
}
export type MailLogRow = Selectable<MailLogTable>
