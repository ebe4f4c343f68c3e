import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import { TimedOut } from '../../lib/timeout.ts'
import { MailboxFault } from '../../platform/mail/mailbox-fault.ts'

/** What a server that sends said, in the words of the list of reasons. */
export function sendingFault({ smtp }: ConnectedMailboxRow, error: unknown): MailboxFault {
  if (error instanceof MailboxFault) return error
  const host = smtp?.host ?? 'The server'
  const message = error instanceof Error ? error.message : String(error)
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (error instanceof TimedOut || /ETIMEDOUT|took more than|[Tt]imeout/.test(message))
    return new MailboxFault('timed_out', `${host} did not answer in time`)
  if (/\b5(30|34|35|38)\b|Invalid login|EAUTH/.test(message))
    return new MailboxFault(
      'login_refused',
      `${host} refuses the login of ${smtp?.user ?? 'the operator'} for sending`,
      {
        said: words(message),
        isRefusedLogin: true
      }
    )
  if (/CERT|certificate|self.signed|altnames/i.test(message))
    return new MailboxFault('bad_certificate', `The certificate of ${host} cannot be trusted`, { said: words(message) })
  if (/ECONNREFUSED/.test(message))
    return new MailboxFault('connection_refused', `Nobody answers at ${host}:${smtp?.port}`)
  return new MailboxFault('other', `${host} did not take the e-mail`, { said: words(message), cause })
}

function words(message: string): string {
  return message.replace(/\p{Cc}+/gu, ' ').slice(0, 300)
}
