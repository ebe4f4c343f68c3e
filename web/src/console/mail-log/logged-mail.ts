import type { DataOf } from '@deskline/client'
import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { failureOf, failureText } from '../../app/failures.ts'
import { type Key, t } from '../../lib/strings.ts'
import { isReason, reasonLabel } from './held-mail.ts'

export type LoggedMail = DataOf<'/api/admin/mail/log/list'>['mails'][number]
export type LoggedMailDetails = DataOf<'/api/admin/mail/log/detail'>['mail']
export type MailStep = LoggedMailDetails['steps'][number]

const reasons: Record<string, Key> = {
  own_message: 'mail.reason.own_message',
  own_address: 'mail.reason.own_address',
  blocked_sender: 'mail.reason.blocked_sender',
  discarded: 'mail.reason.discarded',
  by_rule: 'mail.reason.by_rule',
  rule: 'mail.reason.by_rule',
  unknown_recipient: 'mail.reason.unknown_recipient',
  delivered: 'mail.reason.delivered'
}

/** Why, in a few words; what a server said stands for itself. Empty where the word for the outcome says all. */
export function shortReason(reason: string | null | undefined, said: string | null = reason ?? null): string {
  if (!reason) return ''
  const own = reasons[reason]
  if (own) return t(own)
  return isReason(reason) ? reasonLabel(reason) : deliveryReasonText(reason as never, said)
}

/** An address; erased people stand as such. */
export function addressText(address: string | null): string {
  if (address === null) return t('mail.noSender')
  return address === 'erased' ? t('mail.erased') : address
}

/** The desk's own side without its domain: "support@". */
export function ownSide(address: string): string {
  const at = address.lastIndexOf('@')
  return at > 0 ? address.slice(0, at + 1) : addressText(address)
}

export function subjectOf({ subject }: Pick<LoggedMail, 'subject'>): string {
  return subject || t('mail.noSubject')
}

const failureKeys: Record<string, Key> = {
  mail_not_found: 'mail.failed.mail_not_found',
  not_processable: 'mail.failed.not_processable',
  mail_gone: 'mail.failed.mail_gone',
  original_not_found: 'mail.failed.mail_gone',
  not_sendable: 'mail.failed.not_sendable',
  just_sent_again: 'mail.failed.just_sent_again'
}

/** The message of a failure. */
export function mailLogFailureText(error: unknown): string {
  const key = failureKeys[failureOf(error)?.reason ?? '']
  return key ? t(key) : failureText(error)
}
