import { createTransport } from 'nodemailer'
import type { NodemailerError } from 'nodemailer/lib/errors'
import { PermanentFailure } from '../permanent-failure.ts'
import type { AccessTokens } from './access-token.ts'
import { composition } from './compose.ts'
import { type DkimKey, dkimKeyFor } from './dkim.ts'
import type { Mail, MailMessage } from './mail.ts'
import type { SmtpAddress } from './smtp-address.ts'
import { tlsFor } from './trusted-certificate.ts'

export interface SmtpOptions {
  address: SmtpAddress
  /** The keys that sign e-mails (RFC 6376): that of the sender's domain, else the first. */
  dkim?: readonly DkimKey[]
  /** The time limit of one attempt. */
  timeoutMilliseconds?: number
  /** Instead of a password. */
  tokens?: AccessTokens | undefined
  /** The address to connect to, if the host was looked up and checked before. */
  checkedAddress?: string | undefined
  /** The certificate (PEM) that is trusted although nobody vouches for it, and no other. */
  certificate?: string | null | undefined
}

/** A mail server and the connections to it. */
export interface SmtpMail extends Mail {
  /** Logs in and out again; throws if the server cannot be used. */
  verify(): Promise<void>
  /** Closes idle connections; one that is sending finishes first. */
  close(): void
}

/** Sends e-mails to a mail server. Connects for the first one, and keeps up to five connections. */
export function smtpMail(options: SmtpOptions): SmtpMail {
  const { address, dkim = [], timeoutMilliseconds = 45_000, tokens, checkedAddress, certificate } = options
  const { host, port, encryption, login } = address
  // Less than the whole, so that the error says which step the server did not complete.
  const step = timeoutMilliseconds * 0.6
  const transport = createTransport({
    pool: true,
    host: checkedAddress ?? host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    auth: login && (tokens ? { type: 'OAuth2', user: login.user } : { user: login.user, pass: login.password }),
    tls: tlsFor(host, certificate),
    dnsTimeout: step,
    connectionTimeout: step,
    greetingTimeout: step,
    socketTimeout: step,
    idleTimeout: step / 2
  })
  if (tokens) {
    transport.set(
      'oauth2_provision_cb',
      (_user: string, renews: boolean, done: (error: Error | null, token?: string) => void) => {
        if (renews) tokens.forget()
        tokens.current().then(token => done(null, token), done)
      }
    )
  }

  return {
    async send(message) {
      const signal = AbortSignal.timeout(timeoutMilliseconds)
      const sendAs = async (message: MailMessage) => {
        const { response } = await transport.sendMail({ ...composition(message), ...signedBy(dkim, message), signal })
        return response
      }
      const { otherReturnPath: returnPath } = message
      try {
        return await sendAs(message).catch(error => {
          if (returnPath === undefined || !mayBeAboutTheSender(error)) throw error
          return sendAs({ ...message, returnPath, wantsReport: false })
        })
      } catch (error) {
        if (signal.aborted) throw new Error(`The mail server took more than ${timeoutMilliseconds / 1000} seconds`)
        throw told(error as NodemailerError)
      }
    },

    async verify() {
      await transport.verify()
    },

    close() {
      transport.close()
    }
  }
}

function signedBy(keys: readonly DkimKey[], { from }: MailMessage) {
  const key = dkimKeyFor(keys, typeof from === 'string' ? from : from.address)
  return key && { dkim: { domainName: key.domain, keySelector: key.selector, privateKey: key.privateKey } }
}

/** The error as stored in the e-mail's row: with the server's response, if there was one. */
function told(error: NodemailerError): Error {
  if (isAboutTheEmail(error)) return new PermanentFailure(error.message)
  return error.response ? error : new Error(`The mail server cannot be used: ${error.message}`, { cause: error })
}

/**
 * Whether the server permanently refuses this e-mail because of its recipient or content. What it refuses because of us (no service, a wrong
 * password, a sender it does not serve) the operator can fix while the e-mail waits.
 */
function isAboutTheEmail({ code, command, permanent, responseCode }: NodemailerError): boolean {
  // Refused by nodemailer itself: a recipient with a line break or angle brackets.
  if (code === 'EENVELOPE' && command === 'API') return true
  if (responseCode && loginRefusals.includes(responseCode)) return false
  return permanent === true && (command === 'RCPT TO' || command === 'DATA')
}

/**
 * Whether another envelope sender may help. Servers that accept only senders of the account refuse others at any step and with all kinds of
 * codes, so only refusals that clearly concern the recipient, the size or the login are left out.
 */
function mayBeAboutTheSender({ command, permanent, responseCode, response = '' }: NodemailerError): boolean {
  if (!permanent || !responseCode || loginRefusals.includes(responseCode) || responseCode === 552) return false
  return command === 'MAIL FROM' || !/\b5\.(1\.([12346]|10)|2\.[123]|3\.4)\b/.test(response)
}

// RFC 4954: login required, mechanism too weak, credentials wrong, encryption required.
const loginRefusals = [530, 534, 535, 538]
