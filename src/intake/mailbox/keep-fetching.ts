import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../core/services.ts'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import { makeWakeSignal } from '../../lib/wake-signal.ts'
import { checkedHost } from '../../mail/mailboxes/checked-host.ts'
import { connectedMailboxes } from '../../mail/mailboxes/connected-mailboxes.ts'
import { forgetFormerTokens, mailboxTokens } from '../../mail/mailboxes/mailbox-tokens.ts'
import {
  hasSecret,
  imapAddressOf,
  oauthLoginOf,
  stateNameOf,
  tokensOfMailbox
} from '../../mail/mailboxes/servers-of-mailbox.ts'
import type { AccessTokens } from '../../platform/mail/access-token.ts'
import { type OpenMailbox, openMailbox } from '../../platform/mail/imap.ts'
import type { ImapAddress } from '../../platform/mail/imap-address.ts'
import { MailboxFault } from '../../platform/mail/mailbox-fault.ts'
import { mailReader } from '../../platform/mail-reading/mail-reader.ts'
import { type FetchedFrom, type Fetching, fetchMails, newFetching } from './fetch-mails.ts'
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
 * Fetches the mails of all mailboxes of IMAP_URL and of those that admins have connected, as they come, until `signal` is aborted. Any number of
 * processes may do so at the same time: one at a time has a mailbox, and another takes over if it dies.
 */
export async function keepFetching(
  services: Services,
  signal: AbortSignal,
  { firstWaitMilliseconds = 1_000, renewLeaseMilliseconds = 5_000 }: Partial<Pace> = {}
): Promise<void> {
  const { log } = services
  const tokensOf = mailboxTokens(services)
  const reader = mailReader()
  const pace = { firstWaitMilliseconds, renewLeaseMilliseconds }
  const running = new Map<string, AbortController>()
  const loops = new Set<Promise<void>>()
  let hasCleared = false
  // What an admin changes is taken up by all processes, each as soon as it looks.
  while (!signal.aborted) {
    await takeUp(await foldersToFetch(services, tokensOf)).catch(error =>
      log.warn({ err: error }, 'Changed mailboxes could not be looked up')
    )
    await pause(renewLeaseMilliseconds, undefined, { signal }).catch(() => {})
  }
  await Promise.all(loops)
  await reader.close()

  async function takeUp(folders: FetchedFolder[] | undefined): Promise<void> {
    if (!folders) return
    const former = [...running].filter(([key]) => !folders.some(folder => folder.key === key))
    for (const [key, end] of former) {
      // Nobody waits for its end: a server that hangs must not hold up other mailboxes. The lease keeps its successor waiting.
      end.abort()
      running.delete(key)
    }
    if (!hasCleared || former.length > 0) await forgetOthers(services, folders)
    hasCleared = true
    for (const folder of folders.filter(({ key }) => !running.has(key))) {
      const end = new AbortController()
      running.set(folder.key, end)
      const loop = keepOne({ ...services, mailReader: reader }, folder, pace, AbortSignal.any([signal, end.signal]))
      loops.add(loop)
      loop.finally(() => loops.delete(loop)).catch(() => {})
    }
  }
}

/** A folder that is fetched now. `key` changes with whatever is said of it. */
interface FetchedFolder {
  key: string
  address: ImapAddress
  tokens: AccessTokens | undefined
  from: FetchedFrom
  isConnected: boolean
}

/** Those of the environment, and of connected mailboxes that are active and have a secret; undefined while the database does not answer. */
async function foldersToFetch(
  services: Services,
  tokensOf: ReturnType<typeof mailboxTokens>
): Promise<FetchedFolder[] | undefined> {
  const { config, db, log } = services
  const ofOperator = (config.IMAP_URL ?? []).map(address => ({
    key: address.name,
    address,
    tokens: tokensOf(address),
    from: {},
    isConnected: false
  }))
  const connected = await connectedMailboxes(db).catch(error => {
    log.warn({ err: error }, 'The connected mailboxes could not be read')
    return undefined
  })
  // Those of the environment are fetched as soon as there is a database.
  if (!connected) return undefined
  return [
    ...ofOperator,
    ...connected.filter(({ is_active }) => is_active).flatMap(mailbox => foldersOf(services, tokensOf, mailbox))
  ]
}

function foldersOf(
  services: Services,
  tokensOf: ReturnType<typeof mailboxTokens>,
  mailbox: ConnectedMailboxRow
): FetchedFolder[] {
  try {
    if (!hasSecret(services, mailbox)) return []
    const tokens = tokensOfMailbox(services, tokensOf, mailbox)
    return ([undefined, 'spam'] as const).flatMap(part => {
      const address = imapAddressOf(services, mailbox, part)
      if (!address) return []
      const from: FetchedFrom = { mailboxId: mailbox.id, ...(part ? { holdFor: 'spam_folder' } : {}) }
      const key = `${address.name} ${mailbox.version} ${mailbox.signed_in_at?.getTime()}`
      return [{ key, address, tokens, from, isConnected: true }]
    })
  } catch (error) {
    services.log.error({ err: error, mailboxId: mailbox.id }, 'The secrets of a mailbox cannot be decrypted')
    return []
  }
}

/** Deletes what is kept of mailboxes that are gone. Mailboxes that are only switched off, or only send, keep their state and their sign-in. */
async function forgetOthers(services: Services, folders: readonly FetchedFolder[]): Promise<void> {
  const { db, log } = services
  const connected = await connectedMailboxes(db)
  const off = connected.flatMap(mailbox => [stateNameOf(mailbox), stateNameOf(mailbox, 'spam')])
  const names = [...folders.map(({ address }) => address.name), ...off]
  await deleteOtherMailboxes(db, names).catch(error => log.warn({ err: error }, 'Removed mailboxes are still listed'))
  try {
    await forgetFormerTokens(
      services,
      connected.map(mailbox => oauthLoginOf(services, mailbox))
    )
  } catch (error) {
    // Also where the secrets of one cannot be decrypted: which tokens are its own is not known then.
    log.warn({ err: error }, 'Old mailbox tokens could not be deleted')
  }
}

async function keepOne(
  services: MailServices,
  { address, tokens, from, isConnected }: FetchedFolder,
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
            { address, tokens, fetching, from, isConnected, onLook: () => (waitMilliseconds = firstWaitMilliseconds) },
            signal
          )
        })
      }
    } catch (error) {
      // A connection that was hung up in order to stop is no failure of the server.
      if (signal.aborted) break
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
  let renewal: Promise<unknown> | undefined
  const timer = setInterval(() => {
    renewal = leaseMailbox(db, { ...held, now: realClock.now() }).then(
      isHeld => isHeld || lost.abort(),
      // If the database is down, storing the mails will fail and say so.
      () => {}
    )
  }, renewLeaseMilliseconds)
  try {
    await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    clearInterval(timer)
    // One that is still on its way would take the lease again after it was released.
    await renewal
  }
}

interface Emptying {
  address: ImapAddress
  tokens: AccessTokens | undefined
  fetching: Fetching
  from: FetchedFrom
  isConnected: boolean
  onLook: () => void
}

/** Opens the mailbox and fetches what is there and what arrives. Throws when the connection is lost. */
async function empty(services: MailServices, given: Emptying, signal: AbortSignal): Promise<void> {
  const { config } = services
  const { address, tokens, isConnected } = given
  const wakeSignal = makeWakeSignal()
  signal.addEventListener('abort', wakeSignal.wake)
  const mailbox = await openMailbox(address, {
    tokens,
    maxBytes: config.MAIL_MAX_BYTES,
    onNewMail: wakeSignal.wake,
    signal,
    // The operator may name any host.
    ...(isConnected ? { checkedHost: checkedHost(config) } : {})
  })
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
  { address: { name }, fetching, from, onLook }: Emptying,
  mailbox: OpenMailbox,
  signal: AbortSignal
): Promise<boolean> {
  const { db, realClock } = services
  const { taken, left, oldest, hasMore } = await fetchMails(services, mailbox, fetching, signal, from)
  await recordFetch(db, { name, now: realClock.now(), unread: left, oldest, hasTaken: taken > 0 })
  onLook()
  return hasMore
}
