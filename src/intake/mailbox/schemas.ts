import { type Static, Type } from 'typebox'
import { Flag, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { mailboxReasons } from '../../platform/mail/mailbox-fault.ts'
import { type InboundChannel, type ListedMailbox, mailChannels } from './mailbox-list.ts'
import type { MailboxTest } from './test-mailbox.ts'

export const MailboxView = Type.Object({
  name: OutputText('imaps://support%40example.com@imap.example.com/INBOX'),
  user: OutputText('support@example.com'),
  host: OutputText('imap.example.com'),
  port: Type.Integer(),
  folder: OutputText('INBOX'),
  taken: OneOf(['seen', 'move', 'delete']),
  moved_to: Nullable(OutputText('Archive')),
  state: OneOf(['working', 'failing', 'starting', 'unattended']),
  last_look_at: Nullable(Timestamp()),
  last_mail_at: Nullable(Timestamp()),
  unread_mails: Type.Integer(),
  lag_seconds: Type.Integer(),
  failing_since: Nullable(Timestamp()),
  last_error: Nullable(OutputText('imap.example.com:993 did not answer in time')),
  last_error_code: Nullable(OneOf(mailboxReasons, 'timed_out')),
  last_error_said: Nullable(OutputText('[UNAVAILABLE] Try again later')),
  last_error_at: Nullable(Timestamp())
})

export const MailboxTestView = Type.Object({
  name: OutputText('imaps://support%40example.com@imap.example.com/INBOX'),
  is_usable: Flag(),
  result: OutputText('imap.example.com lets support@example.com in: INBOX holds 12 mails, of which 3 are unread'),
  reason_code: Nullable(OneOf(mailboxReasons, 'login_refused')),
  /** The response of the server. */
  said: Nullable(OutputText('Invalid credentials')),
  total_mails: Nullable(Type.Integer()),
  unread_mails: Nullable(Type.Integer())
})

export const MailChannelView = Type.Object({
  via: OneOf(mailChannels),
  is_open: Flag(),
  last_mail_at: Nullable(Timestamp()),
  waiting_mails: Type.Integer(),
  oldest_seconds: Type.Integer(),
  held_mails: Type.Integer()
})

export function mailboxView({ address, status, state, lagSeconds }: ListedMailbox): Static<typeof MailboxView> {
  const { name, user, host, port, folder, taken } = address
  return {
    name,
    user,
    host,
    port,
    folder,
    taken: taken.kind,
    moved_to: taken.kind === 'move' ? taken.to : null,
    state: status,
    last_look_at: moment(state?.looked_at),
    last_mail_at: moment(state?.mail_at),
    unread_mails: state?.unread_mails ?? 0,
    lag_seconds: lagSeconds,
    failing_since: moment(state?.failing_since),
    last_error: state?.last_error ?? null,
    last_error_code: state?.last_error_code ?? null,
    last_error_said: state?.last_error_said ?? null,
    last_error_at: moment(state?.last_error_at)
  }
}

export function mailboxTestView(name: string, tried: MailboxTest): Static<typeof MailboxTestView> {
  const shared = { name, is_usable: bit(tried.isUsable), result: tried.sentence }
  return tried.isUsable
    ? { ...shared, reason_code: null, said: null, total_mails: tried.mails, unread_mails: tried.unread }
    : { ...shared, reason_code: tried.reason, said: tried.said ?? null, total_mails: null, unread_mails: null }
}

export function mailChannelView({
  via,
  isOpen,
  lastMailAt,
  waiting,
  oldestSeconds,
  held
}: InboundChannel): Static<typeof MailChannelView> {
  return {
    via,
    is_open: bit(isOpen),
    last_mail_at: moment(lastMailAt),
    waiting_mails: waiting,
    oldest_seconds: oldestSeconds,
    held_mails: held
  }
}

function moment(time: Date | null | undefined): string | null {
  return time ? timestamp(time) : null
}
