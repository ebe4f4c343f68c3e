import type { BodyOf, DataOf } from '@deskline/client'
import { failureOf, failureText } from '../../app/failures.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { type Key, t } from '../../lib/strings.ts'

export type HeldMail = DataOf<'/api/admin/mail/held/list'>['mails'][number]
export type HeldMailDetails = DataOf<'/api/admin/mail/held/detail'>['mail']
export type Reason = NonNullable<BodyOf<'/api/admin/mail/held/list'>['reason']>

/** Why an e-mail is held, as a label and as a sentence. For unknown reasons the text of the service is used. */
const reasons: Record<Reason, { label: Key; text: Key }> = {
  unknown_sender: { label: 'held.unknownSender', text: 'held.unknownSenderText' },
  sender_not_authentic: { label: 'held.notAuthentic', text: 'held.notAuthenticText' },
  email_unconfirmed: { label: 'held.emailUnconfirmed', text: 'held.emailUnconfirmedText' },
  client_inactive: { label: 'held.clientInactive', text: 'held.clientInactiveText' },
  spam_folder: { label: 'held.spamFolder', text: 'held.spamFolderText' },
  from_staff: { label: 'held.fromStaff', text: 'held.fromStaffText' },
  by_rule: { label: 'held.byRule', text: 'held.byRuleText' },
  side_stranger: { label: 'held.sideStranger', text: 'held.sideStrangerText' },
  no_sender: { label: 'held.noSender', text: 'held.noSenderText' },
  unknown_report: { label: 'held.unknownReport', text: 'held.unknownReportText' },
  too_many: { label: 'held.tooMany', text: 'held.tooManyText' },
  too_many_from_sender: { label: 'held.tooManyFromSender', text: 'held.tooManyFromSenderText' },
  too_many_in_ticket: { label: 'held.tooManyInTicket', text: 'held.tooManyInTicketText' },
  too_many_automatic: { label: 'held.tooManyAutomatic', text: 'held.tooManyAutomaticText' },
  too_large: { label: 'held.tooLarge', text: 'held.tooLargeText' },
  no_message: { label: 'held.notReadable', text: 'held.notReadableText' },
  not_fetched: { label: 'held.notFetched', text: 'held.notFetchedText' },
  not_readable: { label: 'held.notReadable', text: 'held.notReadableText' },
  nested_too_deeply: { label: 'held.notReadable', text: 'held.notReadableText' },
  too_many_parts: { label: 'held.notReadable', text: 'held.notReadableText' },
  takes_too_long: { label: 'held.notReadable', text: 'held.notReadableText' },
  takes_too_much_memory: { label: 'held.notReadable', text: 'held.notReadableText' },
  failed_repeatedly: { label: 'held.notReadable', text: 'held.notReadableText' }
}

export function reasonLabel(reason: string): string {
  return isReason(reason) ? t(reasons[reason].label) : reason
}

export function reasonText({ reason, reason_text }: Pick<HeldMail, 'reason' | 'reason_text'>): string {
  return isReason(reason) ? t(reasons[reason].text) : reason_text
}

export function isReason(reason: string): reason is Reason {
  return Object.hasOwn(reasons, reason)
}

export const channels: Record<HeldMail['channel'], Key> = {
  command: 'held.byCommand',
  lmtp: 'held.byLmtp',
  smtp: 'held.bySmtp',
  imap: 'held.byImap',
  api: 'held.byApi'
}

/** "Ada Lovelace <ada@example.com>", or a text that no sender is named. */
export function senderOf(from: HeldMail['from']): string {
  if (!from) return t('held.noSender')
  return from.name ? `${from.name} <${from.email}>` : from.email
}

export const reloadHeldMail = () =>
  reloadQueries('/api/admin/mail/held/list', '/api/admin/mail/held/detail', '/api/admin/mail/blocked/list')

const failureKeys: Record<string, Key> = {
  mail_settled: 'held.failed.settled',
  held_mail_not_found: 'held.failed.gone',
  mail_gone: 'held.failed.tooLate',
  sender_already_blocked: 'held.failed.blockedAlready',
  sender_missing: 'held.failed.noSender',
  ticket_not_found: 'held.failed.noTicket'
}

/** The message of a failure. */
export function heldMailFailureText(error: unknown): string {
  const key = failureKeys[failureOf(error)?.reason ?? '']
  return key ? t(key) : failureText(error)
}
