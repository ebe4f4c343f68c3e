import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
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
      isOurs(services, recipient.address).then(isOurs => {
        if (!isOurs) logRefusal(mail, 'unknown_recipient')
        answer(isOurs ? null : unknownTo(session))
      }, later(answer))
    },
    onData(stream, session, answer) {
      const sender = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      // If one of several recipients is signed and so names the ticket or the e-mail, that one counts.
      const recipient = recipients.find(address => isSigned(services, address)) ?? recipients[0]
      const peer = isLmtp ? undefined : { address: session.remoteAddress, name: session.hostNameAppearsAs || '' }
      store(services, stream, { via: address.protocol, recipient, sender, peer }).then(async stored => {
        // Whoever sends faster than we settle waits for the answer, so that what is being read stays bounded.
        while (settling.size >= maxSettling) await Promise.race(settling)
        const settled = processMail({ ...services, mailReader: reader }, stored).catch(error =>
          log.warn({ err: error, mailId: stored.id }, 'An incoming e-mail could not be processed yet')
        )
        settling.add(settled)
        settled.finally(() => settling.delete(settled))
        answer(null, '2.0.0 Ok: taken')
      }, later(answer))
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

  /** A temporary failure: the sender should retry what is not the mail's fault. */
  function later(answer: (error: Error) => void) {
    return (error: Error) => {
      if (error instanceof MessageTooLarge) answer(tooLarge())
      else if (error instanceof NoMessage) answer(saying(554, '5.6.0 This is no message'))
      else {
        services.metrics.inboundMailFailures.inc({ via: address!.protocol })
        log.warn({ err: error }, 'An e-mail could not be accepted: the mail server should retry')
        answer(saying(451, '4.3.0 Try again later'))
      }
    }
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

async function store(
  services: Services,
  stream: SMTPServerDataStream,
  envelope: Pick<Incoming, 'recipient' | 'peer'> & { via: 'lmtp' | 'smtp'; sender: string }
): Promise<StoredMail> {
  try {
    return await storeMail(services, { raw: stream, ...envelope })
  } catch (error) {
    // The response is sent when the whole message was read.
    stream.resume()
    throw error
  }
}

/** In bytes, as the other side says with the sender; 0 if it does not. */
function declaredSize({ envelope: { mailFrom } }: SMTPServerSession): number {
  const args = mailFrom ? (mailFrom.args as { SIZE?: string } | undefined) : undefined
  return Number(args?.SIZE) || 0
}

function tooLarge(): Error {
  return saying(552, '5.3.4 The message is too large')
}

function saying(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
