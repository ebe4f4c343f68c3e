import { type Static, Type } from 'typebox'
import { type MailStep, mailStepNames, outcomesIn, outcomesOut } from '../../core/tables/mail-log.ts'
import { BooleanInput, Flag, Id, IsoTime, Nullable, OneOf, OutputText, PageLimit, Text } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { withoutKey } from '../../mail/support-addresses/signed-address.ts'
import { MailAuthentication } from '../../tickets/ticket/desk-schemas.ts'
import { TicketNumber } from '../../tickets/ticket/schemas.ts'
import { holdReasonNames, textOfReason } from '../mailbox/hold-reasons.ts'
import type { LoggedMailDetail } from './logged-mail-detail.ts'
import type { LogFilter, LoggedMail } from './logged-mails.ts'

export const logLimits = { fallback: 50, max: 200 }

const outcomes = [...new Set([...outcomesIn, ...outcomesOut])]
const verdicts = ['pass', 'fail', 'none', 'unknown'] as const
const channels = ['command', 'lmtp', 'smtp', 'imap', 'api'] as const

/** What the list and the export are narrowed to. */
export const logFilterFields = {
  direction: Type.Optional(OneOf(['in', 'out'] as const)),
  outcome: Type.Optional(OneOf(outcomes, 'held')),
  search: Type.Optional({
    ...Text(255, 'ada@example.com printer'),
    description: 'Parts of addresses, words of the subject, a Message-ID, or the number of a ticket.'
  }),
  ticket_id: Type.Optional(Id(104_233)),
  address: Type.Optional({
    ...Text(255, 'support@example.com'),
    description: 'Of the sender or a recipient, in full.'
  }),
  verdict: Type.Optional(OneOf(verdicts, 'fail')),
  days: Type.Optional({
    ...Type.Integer({ minimum: 1, maximum: 3650, examples: [7] }),
    description: 'Only those of the last days.'
  })
}

export const logPageFields = {
  cursor: Type.Optional(Text(20, '88120')),
  limit: Type.Optional(PageLimit(logLimits))
}

export const LogCountField = Type.Optional({
  ...BooleanInput(0),
  description: '1: counts all that the filter leaves, up to 50,000.'
})

export type SentLogFilter = Partial<{
  direction: 'in' | 'out'
  outcome: NonNullable<LogFilter['outcome']>
  search: string
  ticket_id: number
  address: string
  verdict: NonNullable<LogFilter['verdict']>
  days: number
}>

const dayMilliseconds = 86_400_000

export function logFilterOf({ ticket_id: ticketId, days, ...rest }: SentLogFilter, now: Date): LogFilter {
  return { ...rest, ticketId, since: days === undefined ? undefined : new Date(now.getTime() - days * dayMilliseconds) }
}

export const MailStepView = Type.Object({
  step: OneOf(mailStepNames, 'received'),
  at: IsoTime(),
  reason: Type.Optional(OutputText('unknown_sender')),
  detail: Type.Optional(OutputText('550 5.1.1 No such user')),
  ticket_id: Type.Optional(Id(104_233)),
  rule_id: Type.Optional(Id(7)),
  staff_id: Type.Optional(Id(2)),
  log_id: Type.Optional(Id(88_121))
})

const logged = {
  id: Id(88_120),
  direction: OneOf(['in', 'out'] as const),
  at: IsoTime(),
  // The address; null if it names none, "erased" if its person was erased.
  from: Nullable(OutputText('ada@example.com')),
  to: Type.Array(OutputText('support@example.com')),
  subject: OutputText('The printer'),
  size: Nullable(Type.Integer({ minimum: 0, examples: [4711] })),
  outcome: OneOf(outcomes, 'ticket'),
  reason: Nullable(OutputText('unknown_sender')),
  reason_text: Nullable(
    OutputText('Nobody here has an account with this address, and the settings hold e-mails of such')
  ),
  verdict: Nullable(OneOf(verdicts, 'pass')),
  ticket_id: Nullable(Id(104_233)),
  ticket_number: Nullable(TicketNumber),
  is_erased: Flag(0)
}

/** An e-mail as the list of the log shows it. */
export const LoggedMailView = Type.Object(logged)

export function loggedMailView(mail: LoggedMail): Static<typeof LoggedMailView> {
  return {
    id: mail.id,
    direction: mail.direction,
    at: mail.at.toISOString(),
    from: mail.sender,
    to: mail.recipients === '' ? [] : mail.recipients.split('\n'),
    subject: mail.subject,
    size: mail.size_bytes,
    outcome: mail.outcome,
    reason: mail.reason,
    reason_text: reasonText(mail),
    verdict: mail.verdict,
    ticket_id: mail.ticket_number === null ? null : mail.ticket_id,
    ticket_number: mail.ticket_number,
    is_erased: bit(mail.is_erased)
  }
}

const otherReasons: Readonly<Record<string, string>> = {
  own_message: 'It is an e-mail of this desk that came back',
  own_address: 'It was written by this desk itself',
  blocked_sender: 'Its sender is blocked',
  discarded: 'Staff discarded it',
  rule: 'A rule said so',
  unknown_recipient: 'Nobody here has the address to which it was sent',
  unknown_sender: 'Nobody here has an account with this address, and the settings refuse e-mails of such',
  delivered: 'It reports that an e-mail was delivered'
}

/** A sentence for the words of ours; what servers said stands for itself. */
function reasonText({ outcome, reason }: LoggedMail): string | null {
  if (reason === null) return null
  const held = outcome === 'refused' ? undefined : holdReasonNames.find(name => name === reason)
  return held ? textOfReason(held) : (otherReasons[reason] ?? reason)
}

export const LoggedMailWithSteps = Type.Object({ ...logged, steps: Type.Array(MailStepView) })

export function loggedMailWithSteps(mail: LoggedMail): Static<typeof LoggedMailWithSteps> {
  return { ...loggedMailView(mail), steps: mail.steps.map(stepView) }
}

function stepView(step: MailStep): Static<typeof MailStepView> {
  return step
}

/** All that the log tells of an e-mail. */
export const LoggedMailDetailView = Type.Object({
  ...logged,
  steps: Type.Array(MailStepView),
  // The way in; the kind of an e-mail that went out.
  channel: Nullable(OneOf(channels, 'lmtp')),
  kind: Nullable(OutputText('client-ticket')),
  message_id: Nullable(OutputText('mail-1.x@example.com')),
  envelope_sender: Nullable(OutputText('ada@example.com')),
  envelope_recipient: Nullable(OutputText('support@example.com')),
  authentication: Nullable(MailAuthentication),
  // Whether its raw message can be had, and until when; an e-mail with a code or a link is shown to nobody.
  has_raw: Flag(1),
  is_secret: Flag(0),
  raw_until: Nullable(IsoTime()),
  // Its beginning as text.
  raw: Nullable(OutputText('From: Ada Lovelace …')),
  raw_is_whole: Flag(1),
  held_mail_id: Nullable(Id(12)),
  can_process: Flag(1),
  can_send: Flag(0),
  // The client whose address it went to.
  client: Nullable(Type.Object({ id: Id(), first_name: OutputText('Ada'), last_name: OutputText('Lovelace') })),
  // The e-mail that a bounce is about or that was sent again; and those about this one.
  about: Nullable(LoggedMailView),
  followed_by: Type.Array(LoggedMailView)
})

export function loggedMailDetailView(detail: LoggedMailDetail): Static<typeof LoggedMailDetailView> {
  const { mail, about, followedBy, raw } = detail
  return {
    ...loggedMailWithSteps(mail),
    channel: mail.via,
    kind: mail.kind,
    message_id: mail.message_ref,
    envelope_sender: detail.envelopeSender,
    envelope_recipient: detail.envelopeRecipient && withoutKey(detail.envelopeRecipient),
    authentication: mail.authentication,
    has_raw: bit(detail.hasRaw),
    is_secret: bit(mail.is_secret),
    raw_until: detail.rawUntil ? detail.rawUntil.toISOString() : null,
    raw: raw?.text ?? null,
    raw_is_whole: bit(raw?.isWhole ?? false),
    held_mail_id: mail.outcome === 'held' ? mail.mail_id : null,
    can_process: bit(detail.canProcess),
    can_send: bit(detail.canSend),
    client: detail.client ?? null,
    about: about ? loggedMailView(about) : null,
    followed_by: followedBy.map(loggedMailView)
  }
}
