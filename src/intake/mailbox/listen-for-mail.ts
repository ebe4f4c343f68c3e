import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Services } from '../../core/services.ts'
import { emailInAddress, followerInAddress, ticketInAddress } from '../../mail/support-addresses/signed-address.ts'
import { baseAddress, supportAddresses } from '../../mail/support-addresses/support-addresses.ts'
import { mailReader } from '../../platform/mail-reading/mail-reader.ts'
import { processMail } from './process-mail.ts'
import { MessageTooLarge } from './raw-digests.ts'
import { refusalLog } from './refused-mails.ts'
import { type Incoming, NoMessage, type StoredMail, storeMail } from './store-mail.ts'

const maxConnections = 50
/** Connections allowed for one address that is not our own mail server, so that others can connect as well. */
const maxConnectionsOfOne = 10
/** Mails that are read and settled at once. */
const maxSettling = 8
const maxRecipients = 100
/** A client that tries more unknown recipients is probing for addresses. */
const maxUnknownRecipients = 10
/** The time limit of a connection; what was not sent by then has to be sent again. */
const longestMilliseconds = 30 * 60_000

/** A server that receives e-mails. */
export interface MailListening {
  port: number
  stop(): Promise<void>
}

/**
 * Receives e-mails by LMTP or SMTP at MAIL_LISTEN: only for the support addresses, if there are any, and no larger than MAIL_MAX_BYTES. An
 * e-mail is acknowledged once it is stored, and settled after that, by another process should this one die.
 */
export async function listenForMail(
  services: Services,
  { longest = longestMilliseconds } = {}
): Promise<MailListening | undefined> {
  const { config, log } = services
  const address = config.MAIL_LISTEN
  if (!address) return undefined
  const reader = mailReader()
  const settling = new Set<Promise<unknown>>()
  const logRefusal = refusalLog(services)
  const isLmtp = address.protocol === 'lmtp'
  const ofSessions = new WeakMap<SMTPServerSession, { unknown: number; end: NodeJS.Timeout }>()
  const { SMTPServer } = await import('smtp-server')
  const server = new SMTPServer({
    lmtp: isLmtp,
    ...(await encryption(config)),
    name: new URL(config.BASE_URL).hostname,
    banner: 'Deskline',
    logger: false,
    authOptional: true,
    disabledCommands: config.MAIL_TLS_CERT ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // Declared sizes are looked at once the recipient is known, so that the log has what was refused.
    size: config.MAIL_MAX_BYTES,
    hideSize: true,
    maxClients: maxConnections,
    onConnect(session, answer) {
      const connections = [...server.connections]
      const ofOne = connections.filter(({ remoteAddress }) => remoteAddress === session.remoteAddress)
      if (!isLmtp && ofOne.length > maxConnectionsOfOne) return answer(saying(421, '4.7.0 Too many connections'))
      const own = connections.find(connection => connection.session === session)
      ofSessions.set(session, { unknown: 0, end: setTimeout(() => own?.close(), longest).unref() })
      answer()
    },
    onClose(session) {
      clearTimeout(ofSessions.get(session)?.end)
    },
    onRcptTo(recipient, session, answer) {
      const { rcptTo, mailFrom } = session.envelope
      const mail = { via: address.protocol, recipient: recipient.address, sender: mailFrom ? mailFrom.address : '' }
      if (rcptTo.length >= maxRecipients) return answer(saying(452, '4.5.3 Too many recipients'))
      if (declaredSize(session) > config.MAIL_MAX_BYTES) {
        logRefusal(mail, 'too_large')
        return answer(tooLarge())
      }
      isOurs(services, recipient.address).then(
        isOurs => {
          if (!isOurs) logRefusal(mail, 'unknown_recipient')
          answer(isOurs ? null : unknownTo(session))
        },
        error => answer(refusalFor(error))
      )
    },
    onData(stream, session, answer) {
      const sender = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      // If one of several recipients is signed and so names the ticket or the e-mail, that one counts.
      const recipient = recipients.find(address => isSigned(services, address)) ?? recipients[0]
      const peer = isLmtp ? undefined : { address: session.remoteAddress, name: session.hostNameAppearsAs || '' }
      const refuse = (error: Error) => {
        const said = refusalFor(error)
        answer(said)
        readRest(stream, config.MAIL_MAX_BYTES, () => cutOff(session, said))
      }
      store(services, stream, { via: address.protocol, recipient, sender, peer }).then(async stored => {
        // Whoever sends faster than we settle waits for the answer, so that what is being read stays bounded.
        while (settling.size >= maxSettling) await Promise.race(settling)
        const settled = processMail({ ...services, mailReader: reader }, stored).catch(error =>
          log.warn({ err: error, mailId: stored.id }, 'An incoming e-mail could not be processed yet')
        )
        settling.add(settled)
        settled.finally(() => settling.delete(settled))
        answer(null, '2.0.0 Ok: taken')
      }, refuse)
    }
  })
  server.on('error', error => log.warn({ err: error }, 'A connection of a mail server broke'))
  server.listen(address.port, address.host)
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    async stop() {
      await new Promise<void>(resolve => server.close(() => resolve()))
      while (settling.size > 0) await Promise.all(settling)
      await reader.close()
    }
  }

  function unknownTo(session: SMTPServerSession): Error {
    const asked = ofSessions.get(session)
    if (asked) asked.unknown++
    const isTooMuch = !isLmtp && (asked?.unknown ?? 0) >= maxUnknownRecipients
    return isTooMuch ? saying(421, '4.7.0 Too many unknown addresses') : saying(550, '5.1.1 No such address here')
  }

  /** What is not the mail's fault is a temporary failure: the sender should retry. */
  function refusalFor(error: Error): Error & { responseCode: number } {
    if (error instanceof MessageTooLarge) return tooLarge()
    if (error instanceof NoMessage) return saying(554, '5.6.0 This is no message')
    services.metrics.inboundMailFailures.inc({ via: address!.protocol })
    log.warn({ err: error }, 'An e-mail could not be accepted: the mail server should retry')
    return saying(451, '4.3.0 Try again later')
  }

  /** Says why, and closes the connection; who does not look is disconnected some seconds later. */
  function cutOff(session: SMTPServerSession, { responseCode, message }: { responseCode: number; message: string }) {
    const own = [...server.connections].find(connection => connection.session === session)
    own?.send(responseCode, message)
    own?.close()
  }
}

async function encryption({ MAIL_TLS_CERT: cert, MAIL_TLS_KEY: key }: Services['config']) {
  return cert && key ? { cert: await readFile(cert), key: await readFile(key) } : {}
}

/** If the desk has no support addresses, all are accepted: the mail server in front decides. */
async function isOurs({ db }: Services, recipient: string): Promise<boolean> {
  const own = await supportAddresses(db)
  return own.length === 0 || own.some(({ address }) => baseAddress(address) === baseAddress(recipient))
}

function isSigned({ keys }: Services, recipient: string): boolean {
  return [ticketInAddress, followerInAddress, emailInAddress].some(named => named(keys, recipient) !== undefined)
}

/** Stores what a connection sends. After a refusal the rest of it can still be read. */
async function store(
  services: Services,
  stream: SMTPServerDataStream,
  envelope: Pick<Incoming, 'recipient' | 'peer'> & { via: 'lmtp' | 'smtp'; sender: string }
): Promise<StoredMail> {
  return await storeMail(services, { raw: Readable.from(chunksOf(stream), { objectMode: false }), ...envelope })
}

/** Ends with whoever reads it, while the stream stays as it is. */
async function* chunksOf(stream: SMTPServerDataStream): AsyncGenerator<Buffer> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk
}

/** Reads the rest of a message, whose end the answer follows. Who sends as much again as is taken has no end in mind. */
function readRest(stream: SMTPServerDataStream, mostBytes: number, cutOff: () => void): void {
  let bytes = 0
  stream.on('data', function count(chunk: Buffer) {
    bytes += chunk.length
    if (bytes <= mostBytes) return
    stream.off('data', count)
    cutOff()
  })
}

/** In bytes, as the other side says with the sender; 0 if it does not. */
function declaredSize({ envelope: { mailFrom } }: SMTPServerSession): number {
  const args = mailFrom ? (mailFrom.args as { SIZE?: string } | undefined) : undefined
  return Number(args?.SIZE) || 0
}

function tooLarge() {
  return saying(552, '5.3.4 The message is too large')
}

function saying(responseCode: number, message: string): Error & { responseCode: number } {
  return Object.assign(new Error(message), { responseCode })
}
