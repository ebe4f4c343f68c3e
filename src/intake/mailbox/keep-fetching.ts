import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../core/services.ts'
import { makeWakeSignal } from '../../lib/wake-signal.ts'
import type { AccessTokens } from '../../platform/mail/access-token.ts'
import { type OpenMailbox, openMailbox } from '../../platform/mail/imap.ts'
import type { ImapAddress } from '../../platform/mail/imap-address.ts'
import { MailboxFault } from '../../platform/mail/mailbox-fault.ts'
import { mailReader } from '../../platform/mail-reading/mail-reader.ts'
import { type Fetching, fetchMails, newFetching } from './fetch-mails.ts'
import { forgetFormerTokens, mailboxTokens } from './mailbox-tokens.ts'
import { deleteOtherMailboxes, leaseMailbox, recordFailure, recordFetch, releaseMailboxLease } from './mailboxes.ts'
import type { MailServices } from './process-mail.ts'

const longestWaitMilliseconds = 300_000
/** The first delay before a retry, and how often a process renews its lease of a mailbox or asks for that of another. */
interface Pace {
  firstWaitMilliseconds: number
  renewLeaseMilliseconds: number
}

/** Mail servers lock out clients that repeat a wrong password. */
const refusedWaitMilliseconds = 60_000

/**
 * Fetches the mails of all mailboxes of IMAP_URL, as they come, until `signal` is aborted. Any number of processes may do so at the same time:
 * one at a time has a mailbox, and another takes over if it dies.
 */
export async function keepFetching(
  services: Services,
  signal: AbortSignal,
  { firstWaitMilliseconds = 1_000, renewLeaseMilliseconds = 5_000 }: Partial<Pace> = {}
): Promise<void> {
  const { config, db, log } = services
  const addresses = config.IMAP_URL ?? []
  const names = addresses.map(({ name }) => name)
  await deleteOtherMailboxes(db, names).catch(error => log.warn({ err: error }, 'Removed mailboxes are still listed'))
  if (addresses.length === 0) return
  await forgetFormerTokens(services).catch(error => log.warn({ err: error }, 'Old mailbox tokens could not be deleted'))
  const tokensOf = mailboxTokens(services)
  const reader = mailReader()
  const pace = { firstWaitMilliseconds, renewLeaseMilliseconds }
  await Promise.all(
    addresses.map(address =>
      keepOne({ ...services, mailReader: reader }, { address, tokens: tokensOf(address) }, pace, signal)
    )
  )
  await reader.close()
}

async function keepOne(
  services: MailServices,
  { address, tokens }: Pick<Emptying, 'address' | 'tokens'>,
  { firstWaitMilliseconds, renewLeaseMilliseconds }: Pace,
  signal: AbortSignal
): Promise<void> {
  const { db, log, realClock, metrics } = services
  const { name } = address
  const holder = randomUUID()
  const fetching = newFetching()
  let waitMilliseconds = firstWaitMilliseconds
  while (!signal.aborted) {
    let isHeld = false
    try {
      isHeld = await leaseMailbox(db, { name, holder, now: realClock.now() })
      if (isHeld) {
        await whileLeased(services, { name, holder, renewLeaseMilliseconds }, signal, async signal => {
          await empty(
            services,
            { address, tokens, fetching, onLook: () => (waitMilliseconds = firstWaitMilliseconds) },
            signal
          )
        })
      }
    } catch (error) {
      metrics.inboundMailFailures.inc({ via: 'imap' })
      const isFault = error instanceof MailboxFault
      log.warn(
        isFault ? { mailbox: name, reason: error.message } : { err: error, mailbox: name },
        'E-mails are waiting in their mailbox'
      )
      const { reason, message, said } = isFault ? error : notStored()
      await recordFailure(db, { name, error: message, reason, said: said ?? null, now: realClock.now() }).catch(
        () => {}
      )
      if (isFault && error.isRefusedLogin) waitMilliseconds = Math.max(waitMilliseconds, refusedWaitMilliseconds)
    }
    if (signal.aborted) break
    await pause(isHeld ? waitMilliseconds : renewLeaseMilliseconds, undefined, { signal }).catch(() => {})
    if (isHeld) waitMilliseconds = Math.min(waitMilliseconds * 2, longestWaitMilliseconds)
  }
  await releaseMailboxLease(db, { name, holder }).catch(() => {})
}

function notStored(): MailboxFault {
  return new MailboxFault('not_stored', 'The mails could not be stored: the log of Deskline says why')
}

/** Runs `work` while this process has the lease of the mailbox, which it loses only if its renewals stop. */
async function whileLeased(
  { db, realClock }: Services,
  { renewLeaseMilliseconds, ...held }: { name: string; holder: string; renewLeaseMilliseconds: number },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>
): Promise<void> {
  const lost = new AbortController()
  const timer = setInterval(() => {
    leaseMailbox(db, { ...held, now: realClock.now() }).then(
      isHeld => isHeld || lost.abort(),
      // If the database is down, storing the mails will fail and say so.
      () => {}
    )
  }, renewLeaseMilliseconds)
  try {
    await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    clearInterval(timer)
  }
}

interface Emptying {
  address: ImapAddress
  tokens: AccessTokens | undefined
  fetching: Fetching
  onLook: () => void
}

/** Opens the mailbox and fetches what is there and what arrives. Throws when the connection is lost. */
async function empty(services: MailServices, given: Emptying, signal: AbortSignal): Promise<void> {
  const { config } = services
  const { address, tokens } = given
  const wakeSignal = makeWakeSignal()
  signal.addEventListener('abort', wakeSignal.wake)
  const mailbox = await openMailbox(address, { tokens, maxBytes: config.MAIL_MAX_BYTES, onNewMail: wakeSignal.wake })
  try {
    while (!signal.aborted && mailbox.isOpen()) {
      const hasMore = await look(services, given, mailbox, signal)
      if (!hasMore) await wakeSignal.wait(config.IMAP_POLL_SECONDS * 1_000)
    }
  } finally {
    signal.removeEventListener('abort', wakeSignal.wake)
    await mailbox.close()
  }
  if (!signal.aborted) throw new MailboxFault('connection_lost', `The connection to ${address.host} was lost`)
}

async function look(
  services: MailServices,
  { address: { name }, fetching, onLook }: Emptying,
  mailbox: OpenMailbox,
  signal: AbortSignal
): Promise<boolean> {
  const { db, realClock } = services
  const { taken, left, oldest, hasMore } = await fetchMails(services, mailbox, fetching, signal)
  await recordFetch(db, { name, now: realClock.now(), unread: left, oldest, hasTaken: taken > 0 })
  onLook()
  return hasMore
}
