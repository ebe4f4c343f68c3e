import type { ImapFlowError } from 'imapflow'
import type { ImapAddress } from './imap-address.ts'

/** A mailbox cannot be used. The message is one sentence for the operator, without any secret. */
export class MailboxFault extends Error {
  /** That somebody was refused who would be refused again, and locked out in the end. */
  readonly isRefusedLogin: boolean
  constructor(message: string, { isRefusedLogin = false, cause }: { isRefusedLogin?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isRefusedLogin = isRefusedLogin
  }
}

const isOfCertificate =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_CERT|UNABLE_TO_GET_ISSUER|HOSTNAME_MISMATCH|certificate/i

/** Says in plain words what went wrong. */
export function faultOf(error: unknown, address: ImapAddress): MailboxFault {
  if (error instanceof MailboxFault) return error
  const { host, port, user, folder } = address
  const { code = '', authenticationFailed, mailboxMissing, message, serverResponseCode } = error as ImapFlowError
  const said = saidBy(error as ImapFlowError, address)
  if (authenticationFailed) {
    const isTemporary = serverResponseCode === 'UNAVAILABLE' || serverResponseCode === 'LIMIT'
    const what = address.isOAuth ? 'the access token' : 'the user name or the password'
    return isTemporary
      ? new MailboxFault(`${host} lets nobody in at the moment${said}`)
      : new MailboxFault(
          `${host} refuses the login of ${user}: ${what} is wrong, or IMAP is not allowed there${said}`,
          {
            isRefusedLogin: true
          }
        )
  }
  if (mailboxMissing || serverResponseCode === 'NONEXISTENT')
    return new MailboxFault(`There is no folder ${folder}${said}`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new MailboxFault(`No server is known by the name ${host}`)
  if (code === 'ECONNREFUSED') return new MailboxFault(`Nobody answers at ${host}:${port}`)
  if (/TIMEOUT|TIMEDOUT/.test(code)) return new MailboxFault(`${host}:${port} did not answer in time`)
  if (isOfCertificate.test(`${code} ${message}`))
    return new MailboxFault(`The certificate of ${host} cannot be trusted (${code || 'not valid'})`)
  if (/STARTTLS/i.test(message)) return new MailboxFault(`${host}:${port} offers no encryption by STARTTLS`)
  if (/EPROTO|ERR_SSL|WRONG_VERSION/.test(code))
    return new MailboxFault(`${host}:${port} does not speak TLS as expected`)
  if (
    ['NoConnection', 'EConnectionClosed', 'ECONNRESET', 'EPIPE', 'StateLogout'].includes(code) ||
    /^Closed/.test(code)
  )
    return new MailboxFault(`The connection to ${host} was lost${said}`)
  return new MailboxFault(`${host} cannot be used: ${withoutSecret(message, address)}${said}`, { cause: error })
}

function saidBy({ responseText, reason }: ImapFlowError, address: ImapAddress): string {
  const said = responseText ?? reason
  return said ? ` (it says: ${withoutSecret(said, address)})` : ''
}

/** Servers repeat what they were told. */
function withoutSecret(text: string, { secret }: ImapAddress): string {
  return text
    .replaceAll(secret, '…')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 300)
}
