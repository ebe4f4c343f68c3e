import { readFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** An e-mail that the mail server accepted. */
interface TakenMessage {
  raw: Buffer
  email: Email
  from: string
  to: string[]
  isEncrypted: boolean
  user: string | undefined
  connection: string
}

export interface MailServer {
  port: number
  emails: TakenMessage[]
  /** Every user and password of a login. */
  logins: string[]
  /** Accepts the e-mail, or throws its response: see `saying`. Runs before the response. */
  onEmail(message: TakenMessage): void
  /** Ends all connections without a word. */
  hangUp(): void
  close(): Promise<void>
}

/** A self-signed certificate for `localhost` and 127.0.0.1. */
export const certificatePath = join(import.meta.dirname, 'localhost.crt')
const certificate = readFileSync(certificatePath)
export const keyPath = join(import.meta.dirname, 'localhost.key')
const key = readFileSync(keyPath)

/**
 * A mail server on this machine that keeps what it takes. It offers STARTTLS with our certificate and demands no login,
 * unless the options say otherwise; a login is `desk` with `s3cret`. It is closed with the test, or at the end of the run
 * when it was made at the top of a file; not for hooks, whose `after` comes at once.
 */
export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const emails: TakenMessage[] = []
  const logins: string[] = []
  const taker: Pick<MailServer, 'onEmail'> = { onEmail: () => {} }
  const smtp = new SMTPServer({
    logger: false,
    key,
    cert: certificate,
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth({ username, password }, _session, answer) {
      logins.push(`${username}:${password}`)
      if (username === 'desk' && password === 's3cret') answer(null, { user: username })
      else answer(saying(535, '5.7.8 Authentication credentials invalid'))
    },
    async onData(stream, session, answer) {
      try {
        const raw = await buffer(stream)
        const { mailFrom, rcptTo } = session.envelope
        const message = {
          raw,
          email: await PostalMime.parse(raw),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(each => each.address),
          isEncrypted: session.secure,
          user: session.user as string | undefined,
          connection: session.id
        }
        server.onEmail(message)
        emails.push(message)
        answer(null, `2.0.0 Ok: kept as ${emails.length}`)
      } catch (error) {
        answer(error as Error)
      }
    },
    ...options
  })
  // A client that hangs up half-way, as some tests do on purpose.
  smtp.on('error', () => {})
  await new Promise<void>(resolve => smtp.listen(0, '127.0.0.1', resolve))

  const sockets = new Set<Socket>()
  smtp.server.on('connection', socket => sockets.add(socket))

  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= new Promise(resolve => smtp.close(resolve))
    return closed
  }
  after(close)
  const server: MailServer = Object.assign(taker, {
    port: (smtp.server.address() as AddressInfo).port,
    emails,
    logins,
    hangUp() {
      for (const socket of sockets) socket.destroy()
    },
    close
  })
  return server
}

/** An error that makes the server respond so. */
export function saying(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}
