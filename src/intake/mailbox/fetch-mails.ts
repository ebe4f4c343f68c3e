import { Readable } from 'node:stream'
import type { OpenMailbox, UnreadMail } from '../../platform/mail/imap.ts'
import { MailboxFault } from '../../platform/mail/mailbox-fault.ts'
import type { HoldReason } from './hold-reasons.ts'
import { type MailServices, processMail } from './process-mail.ts'
import { MessageTooLarge } from './raw-digests.ts'
import { NoMessage, type StoredMail, storeMail } from './store-mail.ts'

/** How much staff get of a mail that is held without being fetched whole. */
const beginningBytes = 256 * 1024
/** After this many failures only the beginning is fetched; after as many again the mail is left in the mailbox. */
const wholeTries = 3
const allTries = 6

/** What a process remembers of the mails in a folder from one connection to the next. */
export interface Fetching {
  /** How often fetching each mail has failed, and how often because of the mailbox rather than the store. */
  failures: Map<string, { all: number; ofMailbox: number }>
  /** Mails stored here that the mailbox could not yet mark as read. */
  stored: Map<string, { isWhole: boolean }>
}

/** What is said of each mail of a folder beside its text. */
export interface FetchedFrom {
  mailboxId?: number | undefined
  /** Holds all mails of the folder. */
  holdFor?: HoldReason | undefined
}

export function newFetching(): Fetching {
  return { failures: new Map(), stored: new Map() }
}

/** The result of one pass over a mailbox. */
export interface FetchResult {
  taken: number
  /** How many unread mails are left, and how long the oldest has waited. */
  left: number
  oldest: Date | null
  /** Whether there were more mails than one pass takes. */
  hasMore: boolean
}

/**
 * Fetches the unread mails of a mailbox, oldest first, until `signal` is aborted. Each is stored and committed before it is marked as read: a
 * process killed in between fetches it again and finds it stored. Mails that failed come last in the next pass, so that they block no others.
 * Throws if the mailbox or the store cannot be used.
 */
export async function fetchMails(
  services: MailServices,
  mailbox: OpenMailbox,
  { failures, stored }: Fetching,
  signal: AbortSignal,
  from: FetchedFrom = {}
): Promise<FetchResult> {
  const { log, config } = services
  const { mails, count } = await mailbox.unread()
  const failuresOf = (mail: UnreadMail) => failures.get(mail.key) ?? { all: 0, ofMailbox: 0 }
  const isGivenUp = (mail: UnreadMail) => failuresOf(mail).ofMailbox >= allTries
  const open = mails
    .filter(mail => !isGivenUp(mail))
    .toSorted((a, b) => failuresOf(a).all - failuresOf(b).all || a.uid - b.uid)
  let taken = 0
  for (const mail of open) {
    if (signal.aborted) break
    try {
      await takeOne(mail)
      failures.delete(mail.key)
      stored.delete(mail.key)
      taken++
    } catch (error) {
      const { all, ofMailbox } = failuresOf(mail)
      failures.set(mail.key, { all: all + 1, ofMailbox: ofMailbox + (error instanceof MailboxFault ? 1 : 0) })
      if (isGivenUp(mail)) log.error({ err: error, uid: mail.uid }, 'An e-mail cannot be fetched from its mailbox')
      throw error
    }
  }
  const left = new Set(open.slice(taken))
  const waiting = mails.filter(mail => left.has(mail) || isGivenUp(mail))
  const [oldest] = waiting.flatMap(({ arrivedAt }) => arrivedAt ?? []).toSorted((a, b) => a.getTime() - b.getTime())
  return { taken, left: count - taken, oldest: oldest ?? null, hasMore: taken > 0 && count > mails.length }

  async function takeOne(mail: UnreadMail): Promise<void> {
    const known = stored.get(mail.key)
    if (known) return await note(mail, known.isWhole)
    const { isWhole, mail: row } = await store(mail)
    stored.set(mail.key, { isWhole })
    try {
      await note(mail, isWhole)
    } finally {
      await processMail(services, row).catch(error =>
        log.warn({ err: error, mailId: row.id }, 'An incoming e-mail could not be processed yet')
      )
    }
  }

  async function note(mail: UnreadMail, isWhole: boolean): Promise<void> {
    await (isWhole ? mailbox.take(mail) : mailbox.leave(mail))
  }

  async function store(mail: UnreadMail): Promise<{ mail: StoredMail; isWhole: boolean }> {
    if (mail.sizeBytes > config.MAIL_MAX_BYTES) return await storeBeginning(mail, 'too_large')
    if (failuresOf(mail).ofMailbox >= wholeTries) return await storeBeginning(mail, 'not_fetched')
    try {
      return { mail: await storeWhole(mail), isWhole: true }
    } catch (error) {
      if (error instanceof MessageTooLarge) return await storeBeginning(mail, 'too_large')
      if (error instanceof NoMessage) return { mail: await storeWhole(mail, 'no_message'), isWhole: true }
      throw error
    }
  }

  async function storeWhole(mail: UnreadMail, holdFor?: HoldReason): Promise<StoredMail> {
    const raw = mailbox.message(mail)
    try {
      return await storeMail(services, { raw, via: 'imap', ...from, holdFor: holdFor ?? from.holdFor })
    } finally {
      // In case it was not read to its end.
      raw.destroy()
    }
  }

  async function storeBeginning(
    mail: UnreadMail,
    holdFor: HoldReason
  ): Promise<{ mail: StoredMail; isWhole: boolean }> {
    const raw = Readable.from([await mailbox.beginning(mail, beginningBytes)])
    return { mail: await storeMail(services, { raw, via: 'imap', ...from, holdFor, isCut: true }), isWhole: false }
  }
}
