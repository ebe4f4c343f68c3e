import type { ImapFlowError } from 'imapflow'
import type { ImapAddress } from './imap-address.ts'

/** Why a mailbox cannot be used, as a slug. */
export const mailboxReasons = [
  'login_refused',
  'login_unavailable',
  'access_token_refused',
  'refresh_token_refused',
  'no_access_token',
  'token_server_unreachable',
  'folder_missing',
  'folder_changed',
  'unknown_host',
  'private_host',
  'connection_refused',
  'timed_out',
  'bad_certificate',
  'no_starttls',
  'no_tls',
  'connection_lost',
  'read_only',
  'cannot_search',
  'cannot_mark',
  'cannot_move',
  'cannot_delete',
  'mail_gone',
  'not_stored',
  'no_password',
  'not_signed_in',
  'secrets_lost',
  'unattended',
  'other'
] as const
export type MailboxReason = (typeof mailboxReasons)[number]

interface Circumstances {
  /** The server's message, without any secret. */
  said?: string | undefined
  /** The login was refused, and repeating it could lock the account out. */
  isRefusedLogin?: boolean
  cause?: unknown
}

/** A mailbox cannot be used. The message is one sentence for the operator, without any secret. */
export class MailboxFault extends Error {
  readonly reason: MailboxReason
  readonly said: string | undefined
  readonly isRefusedLogin: boolean
  constructor(reason: MailboxReason, message: string, { said, isRefusedLogin = false, cause }: Circumstances = {}) {
    super(message, { cause })
    this.reason = reason
    this.said = said
    this.isRefusedLogin = isRefusedLogin
  }
}

const isOfCertificate =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_CERT|UNABLE_TO_GET_ISSUER|HOSTNAME_MISMATCH|certificate/i

/** The error in plain words. */
export function faultOf(error: unknown, address: ImapAddress): MailboxFault {
  if (error instanceof MailboxFault) return error
  const { host, port, user, folder, isOAuth } = address
  const { code = '', authenticationFailed, mailboxMissing, message, serverResponseCode } = error as ImapFlowError
  const said = saidBy(error as ImapFlowError, address)
  const behind = said ? ` (it says: ${said})` : ''
  if (authenticationFailed) {
    const isTemporary = serverResponseCode === 'UNAVAILABLE' || serverResponseCode === 'LIMIT'
    const what = isOAuth ? 'the access token' : 'the user name or the password'
    return isTemporary
      ? new MailboxFault('login_unavailable', `${host} lets nobody in at the moment${behind}`, { said })
      : new MailboxFault(
          isOAuth ? 'access_token_refused' : 'login_refused',
          `${host} refuses the login of ${user}: ${what} is wrong, or IMAP is not allowed there${behind}`,
          { said, isRefusedLogin: true }
        )
  }
  if (mailboxMissing || serverResponseCode === 'NONEXISTENT')
    return new MailboxFault('folder_missing', `There is no folder ${folder}${behind}`, { said })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new MailboxFault('unknown_host', `No server is known by the name ${host}`)
  if (code === 'ECONNREFUSED') return new MailboxFault('connection_refused', `Nobody answers at ${host}:${port}`)
  if (/TIMEOUT|TIMEDOUT/.test(code)) return new MailboxFault('timed_out', `${host}:${port} did not answer in time`)
  if (isOfCertificate.test(`${code} ${message}`))
    return new MailboxFault(
      'bad_certificate',
      `The certificate of ${host} cannot be trusted (${code || 'not valid'})`,
      code ? { said: code } : {}
    )
  if (/STARTTLS/i.test(message))
    return new MailboxFault('no_starttls', `${host}:${port} offers no encryption by STARTTLS`)
  if (/EPROTO|ERR_SSL|WRONG_VERSION/.test(code))
    return new MailboxFault('no_tls', `${host}:${port} does not speak TLS as expected`)
  if (
    ['NoConnection', 'EConnectionClosed', 'ECONNRESET', 'EPIPE', 'StateLogout'].includes(code) ||
    /^Closed/.test(code)
  )
    return new MailboxFault('connection_lost', `The connection to ${host} was lost${behind}`, { said })
  const words = withoutSecret(message, address)
  return new MailboxFault('other', `${host} cannot be used: ${words}${behind}`, { said: said ?? words, cause: error })
}

function saidBy({ responseText, reason }: ImapFlowError, address: ImapAddress): string | undefined {
  const said = responseText ?? reason
  return said ? withoutSecret(said, address) : undefined
}

/** Servers may repeat what was sent to them. */
function withoutSecret(text: string, { secret }: ImapAddress): string {
  return text
    .replaceAll(secret, '…')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 300)
}
