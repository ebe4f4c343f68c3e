import type { DataOf } from '@deskline/client'
import { type Key, t } from '../../lib/strings.ts'

type Listed = DataOf<'/api/admin/mail/mailboxes/list'>['mailboxes'][number]
/** A mailbox that an admin has connected, or one of the operator's settings. */
export type ConnectedMailbox = Extract<Listed, { source: 'connected' }>
export type OperatorsMailbox = Extract<Listed, { source: 'operator' }>

interface Place {
  host: string
  port: number | string
  user: string
  folder: string
}
type TestResult = DataOf<'/api/admin/mail/mailboxes/test'>
type Reason = NonNullable<TestResult['reason_code']>

/** The result of a test, in the reader's language. */
export function testResultText(
  mailbox: OperatorsMailbox,
  { result, reason_code, said, total_mails, unread_mails }: TestResult
): string {
  if (reason_code !== null) return reasonText(placeOf(mailbox), reason_code, said, result)
  return t('admin.mailboxes.usable', { ...placeOf(mailbox), count: total_mails ?? 0, unread: unread_mails ?? 0 })
}

/** Why a mailbox could not be used last. Who reads an error that a former version wrote down gets its own sentence. */
export function lastErrorText(mailbox: Listed): string {
  const { last_error, last_error_code } = mailbox
  if (mailbox.source === 'connected' && last_error !== null && last_error === mailbox.sending.last_error)
    return sendingErrorText(mailbox)
  const last_error_said = mailbox.source === 'operator' ? mailbox.last_error_said : null
  return last_error_code === null
    ? (last_error ?? '')
    : reasonText(placeOf(mailbox), last_error_code, last_error_said, last_error)
}

/** Why a mailbox cannot send: what its server said follows in its own words. */
export function sendingErrorText({
  smtp,
  sending: { last_error: said, last_error_code: code }
}: ConnectedMailbox): string {
  if (said === null || code === null || !smtp) return said ?? ''
  return sendingReasonText(smtp, code, said, said)
}

/** The same of a test. */
export function sendingReasonText(
  smtp: Omit<Place, 'folder'>,
  code: Reason,
  said: string | null,
  sentence: string
): string {
  const own: Key | undefined = Object.hasOwn(sendingKeys, code) ? sendingKeys[code] : undefined
  if (own === undefined) return reasonText({ ...smtp, folder: '' }, code, said, sentence)
  const text = t(own, { host: smtp.host, user: smtp.user })
  return said === null ? text : t('admin.mailboxes.said', { text, said })
}

const sendingKeys: Partial<Record<Reason, Key>> = {
  login_refused: 'admin.mailboxes.fault.sending_refused',
  other: 'admin.mailboxes.fault.not_taken'
}

/** A word that a later version of the service knows is shown as its sentence. */
export function reasonText(place: Place, code: Reason, said: string | null, sentence: string | null): string {
  const key: Key | undefined = Object.hasOwn(keys, code) ? keys[code] : undefined
  if (key === undefined) return sentence ?? ''
  const text = t(key, { ...place, port: String(place.port) })
  return said === null ? text : t('admin.mailboxes.said', { text, said })
}

export function placeOf(mailbox: Listed) {
  const {
    host = '',
    port = 0,
    user = '',
    folder = ''
  } = mailbox.source === 'operator' ? mailbox : (mailbox.imap ?? mailbox.smtp ?? {})
  return { host, port: String(port), user, folder }
}

const keys: Record<Reason, Key> = {
  login_refused: 'admin.mailboxes.fault.login_refused',
  login_unavailable: 'admin.mailboxes.fault.login_unavailable',
  access_token_refused: 'admin.mailboxes.fault.access_token_refused',
  refresh_token_refused: 'admin.mailboxes.fault.refresh_token_refused',
  no_access_token: 'admin.mailboxes.fault.no_access_token',
  token_server_unreachable: 'admin.mailboxes.fault.token_server_unreachable',
  folder_missing: 'admin.mailboxes.fault.folder_missing',
  folder_changed: 'admin.mailboxes.fault.folder_changed',
  private_host: 'admin.mailboxes.fault.private_host',
  unknown_host: 'admin.mailboxes.fault.unknown_host',
  connection_refused: 'admin.mailboxes.fault.connection_refused',
  timed_out: 'admin.mailboxes.fault.timed_out',
  bad_certificate: 'admin.mailboxes.fault.bad_certificate',
  no_starttls: 'admin.mailboxes.fault.no_starttls',
  no_tls: 'admin.mailboxes.fault.no_tls',
  connection_lost: 'admin.mailboxes.fault.connection_lost',
  read_only: 'admin.mailboxes.fault.read_only',
  cannot_search: 'admin.mailboxes.fault.cannot_search',
  cannot_mark: 'admin.mailboxes.fault.cannot_mark',
  cannot_move: 'admin.mailboxes.fault.cannot_move',
  cannot_delete: 'admin.mailboxes.fault.cannot_delete',
  mail_gone: 'admin.mailboxes.fault.mail_gone',
  not_stored: 'admin.mailboxes.fault.not_stored',
  no_password: 'admin.mailboxes.fault.no_password',
  not_signed_in: 'admin.mailboxes.fault.not_signed_in',
  secrets_lost: 'admin.mailboxes.fault.secrets_lost',
  unattended: 'admin.mailboxes.fault.unattended',
  other: 'admin.mailboxes.fault.other'
}
