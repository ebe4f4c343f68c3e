import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import { secondsAfter } from '../../lib/time.ts'
import type { Mail, MailMessage } from '../../platform/mail/mail.ts'
import { type SmtpMail, type SmtpOptions, smtpMail } from '../../platform/mail/smtp.ts'
import { mailboxesIn } from '../../platform/mail-reading/addresses.ts'
import { PermanentFailure } from '../../platform/permanent-failure.ts'
import { baseAddress } from '../support-addresses/support-addresses.ts'
import { type CheckedHost, checkedHost } from './checked-host.ts'
import { connectedMailboxes } from './connected-mailboxes.ts'
import { mailboxTokens } from './mailbox-tokens.ts'
import { hasSecret, smtpAddressOf, tokensOfMailbox } from './servers-of-mailbox.ts'

/** The server of a connected mailbox cannot be used: its e-mails wait for it. */
export class MailboxCannotSend extends Error {}

type RoutingServices = Pick<Services, 'db' | 'keys' | 'config' | 'realClock' | 'log'>

/** After a failure the server is left alone, at first for so long, later for longer. */
const firstPauseSeconds = 30
const longestPauseSeconds = 300
/** One e-mail at a time tries a server that has failed; it may take so long. */
const tryingSeconds = 60

/**
 * Sends each e-mail through the mailbox whose address it comes from, and all others by `usual`: the operator's server, which takes
 * those of mailboxes without a server too. Without an operator's server (`usual.isServer` is false) the first mailbox that sends, and is not broken, takes them, under its own address.
 * A server that fails is left alone for a while, so that e-mails of others do not wait behind its own.
 */
export function routedMail(
  services: RoutingServices,
  usual: { mail: Mail; isServer: boolean },
  dkim: SmtpOptions['dkim'] = [],
  hostOf: CheckedHost = checkedHost(services.config)
): Mail & { close(): void } {
  const transports = new Map<number, { key: string; mail: SmtpMail }>()
  const tokensOf = mailboxTokens(services)

  return {
    async send(message) {
      const found = await mailboxFor(services.db, message, usual.isServer)
      if (!found) return await usual.mail.send(message)
      const { mailbox, isOwn } = found
      return await sendThrough(
        mailbox,
        isOwn ? { ...message, otherReturnPath: mailbox.address } : asFrom(mailbox, message)
      )
    },
    close() {
      for (const { mail } of transports.values()) mail.close()
      transports.clear()
    }
  }

  async function sendThrough(mailbox: ConnectedMailboxRow, message: MailMessage): Promise<string> {
    const { db, realClock } = services
    await requireTurn(mailbox)
    let answer: string
    try {
      answer = await (await transportOf(mailbox)).send(message)
    } catch (error) {
      const isPutOff = isPutOffAlone(error)
      if (!isPutOff && !(error instanceof PermanentFailure)) throw await noteFailure(mailbox, error as Error)
      // The server works: it refuses this e-mail, or puts it off.
      await noteSent(db, { id: mailbox.id, now: realClock.now(), hasSent: false })
      throw isPutOff ? new MailboxCannotSend(`${mailbox.address} cannot send: ${(error as Error).message}`) : error
    }
    if (
      mailbox.smtp_failing_since ||
      !mailbox.sent_at ||
      realClock.now() >= secondsAfter(mailbox.sent_at, tryingSeconds)
    )
      await noteSent(db, { id: mailbox.id, now: realClock.now(), hasSent: true })
    return answer
  }

  /** Throws `MailboxCannotSend` while the server is left alone, or another e-mail tries it. */
  async function requireTurn({ id, address, smtp_failing_since, smtp_error }: ConnectedMailboxRow): Promise<void> {
    if (!smtp_failing_since) return
    const now = services.realClock.now()
    const [turn] = await takeTurn(services.db, { id, now, until: secondsAfter(now, tryingSeconds) })
    if (!turn) throw new MailboxCannotSend(`${address} cannot send: ${smtp_error}`)
  }

  async function noteFailure({ id, address, smtp_failing_since }: ConnectedMailboxRow, error: Error) {
    const now = services.realClock.now()
    const failingSeconds = smtp_failing_since ? (now.getTime() - smtp_failing_since.getTime()) / 1000 : 0
    const pause = Math.min(Math.max(firstPauseSeconds, failingSeconds), longestPauseSeconds)
    forgetTransport(id)
    const sentence = error.message.replace(/\p{Cc}+/gu, ' ').slice(0, 300)
    await writeFailure(services.db, { id, error: sentence, now, retryAt: secondsAfter(now, pause) })
    services.log.warn({ mailboxId: id, reason: sentence }, 'The e-mails of a mailbox wait for its server')
    return new MailboxCannotSend(`${address} cannot send: ${sentence}`)
  }

  /** The connections to its server, made anew when the mailbox has changed and after a failure: names with many addresses lead elsewhere each time. */
  async function transportOf(mailbox: ConnectedMailboxRow): Promise<SmtpMail> {
    // A server may refuse for good what comes without a login.
    if (!hasSecret(services, mailbox)) throw new Error('It has no password yet, or nobody has signed in')
    const address = smtpAddressOf(services, mailbox)!
    const key = `${mailbox.version} ${mailbox.signed_in_at?.getTime()}`
    const known = transports.get(mailbox.id)
    if (known?.key === key) return known.mail
    const checkedAddress = await hostOf(address.host)
    forgetTransport(mailbox.id)
    const mail = smtpMail({
      address,
      dkim,
      checkedAddress,
      certificate: mailbox.smtp!.certificate,
      tokens: tokensOfMailbox(services, tokensOf, mailbox)
    })
    transports.set(mailbox.id, { key, mail })
    return mail
  }

  function forgetTransport(id: number): void {
    transports.get(id)?.mail.close()
    transports.delete(id)
  }
}

async function mailboxFor(
  db: Db,
  { from }: MailMessage,
  hasServer: boolean
): Promise<{ mailbox: ConnectedMailboxRow; isOwn: boolean } | undefined> {
  const key = baseAddress(typeof from === 'string' ? (mailboxesIn(from)[0]?.email ?? from) : from.address)
  const sending = (await connectedMailboxes(db)).filter(isSetUp)
  const own = sending.find(({ address_key }) => address_key === key)
  if (own) return { mailbox: own, isOwn: true }
  const [first] = sending.toSorted(
    (one, other) =>
      Number(one.smtp_failing_since !== null) - Number(other.smtp_failing_since !== null) ||
      Number(other.is_default) - Number(one.is_default) ||
      one.id - other.id
  )
  return hasServer || !first ? undefined : { mailbox: first, isOwn: false }
}

/** While an admin sets it up, before it was turned on or has sent, its server may be any. A paused one goes on sending. */
function isSetUp({ smtp, is_active, sent_at }: ConnectedMailboxRow): boolean {
  return smtp !== null && (is_active || sent_at !== null)
}

/**
 * Whether the server only puts this e-mail off, as for a recipient who wants it later. What it says then may repeat the e-mail, so it is not noted at the mailbox.
 * 421 ends the connection, 454 is about the login.
 */
function isPutOffAlone(error: unknown): boolean {
  const { command, responseCode: code = 0 } = error as { command?: string; responseCode?: number }
  return (command === 'RCPT TO' || command === 'DATA') && code >= 400 && code < 500 && code !== 421 && code !== 454
}

/** Servers accept only their own addresses; the name stays. */
function asFrom({ address }: ConnectedMailboxRow, message: MailMessage): MailMessage {
  const { from } = message
  const name = typeof from === 'string' ? (mailboxesIn(from)[0]?.name ?? '') : from.name
  const { returnPath: _, otherReturnPath: __, ...rest } = message
  return { ...rest, from: { name, address } }
}

const takeTurn = prepared((db, p: { id: number; now: Date; until: Date }) =>
  db
    .updateTable('connected_mailboxes')
    .where('id', '=', p.id)
    .where(({ or, eb }) => or([eb('smtp_retry_at', 'is', null), eb('smtp_retry_at', '<=', p.now)]))
    .set({ smtp_retry_at: p.until })
    .returning('id')
)

const noteSent = prepared((db, p: { id: number; now: Date; hasSent: boolean }) =>
  db
    .updateTable('connected_mailboxes')
    .where('id', '=', p.id)
    .set({
      smtp_failing_since: null,
      smtp_error: null,
      smtp_retry_at: null,
      sent_at: sql<Date>`case when ${p.hasSent}::boolean then ${p.now}::timestamptz else sent_at end`
    })
)

const writeFailure = prepared((db, p: { id: number; error: string; now: Date; retryAt: Date }) =>
  db
    .updateTable('connected_mailboxes')
    .where('id', '=', p.id)
    .set(eb => ({
      smtp_failing_since: eb.fn.coalesce('smtp_failing_since', sql<Date>`${p.now}::timestamptz`),
      smtp_error: p.error,
      smtp_retry_at: p.retryAt
    }))
)
