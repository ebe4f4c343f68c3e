import { Readable } from 'node:stream'
import { TimedOut, withTimeout } from '../../lib/timeout.ts'
import type { AccessTokens } from './access-token.ts'
import type { ImapAddress } from './imap-address.ts'
import { faultOf, MailboxFault } from './mailbox-fault.ts'
import { servernameOf, tlsFor } from './trusted-certificate.ts'

/** An unread mail in the mailbox. */
export interface UnreadMail {
  /** Its UID with the folder's UIDVALIDITY, since UIDs may be reassigned. */
  key: string
  uid: number
  sizeBytes: number
  arrivedAt: Date | undefined
}

/** An open folder of a mailbox. Its functions throw `MailboxFault`. */
export interface OpenMailbox {
  isOpen(): boolean
  /** How many mails are in the folder, and whether fetched ones can be marked. */
  total: number
  isReadOnly: boolean
  /** The oldest unread mails, and the number of all. */
  unread(): Promise<{ mails: UnreadMail[]; count: number }>
  /** Streams the raw message. Leaves it unread. */
  message(mail: UnreadMail): Readable
  /** The beginning of the raw message. Leaves it unread. */
  beginning(mail: UnreadMail, bytes: number): Promise<Buffer>
  /** Marks, moves or deletes it, as the URL says. */
  take(mail: UnreadMail): Promise<void>
  /** Leaves it in the folder, marked as read and flagged, since it is not stored whole elsewhere. */
  leave(mail: UnreadMail): Promise<void>
  /** The mail with this Message-ID (in angle brackets), read or not. */
  find(messageId: string): Promise<UnreadMail | undefined>
  /** The folder in which the server puts spam, as far as it says. */
  spamFolder(): Promise<string | undefined>
  close(): Promise<void>
}

export interface OpenOptions {
  tokens: AccessTokens | undefined
  /** Larger mails are not read from the connection. */
  maxBytes: number
  /** Called when mail may have arrived, and when the connection has ended. */
  onNewMail?: () => void
  /** The address to connect to, if the host needs to be checked before. Throws a `MailboxFault`. */
  checkedHost?: (host: string) => Promise<string>
  /** The time for one step, if not the usual. */
  stepMilliseconds?: number
  /** Gives up a connection that is still being opened. */
  signal?: AbortSignal
}

const usualStepMilliseconds = 30_000
/** A server that sends one byte a second never falls silent: a command takes no longer than this. */
const longestCommandMilliseconds = 120_000
/** A connection without traffic for this long is dropped. */
const silentMilliseconds = 90_000
/** IDLE begins this long after the last command, so that new mail is noticed. */
const idleAfterMilliseconds = 100
/** Servers end idle connections after half an hour, some after ten minutes, with or without notice. */
const idleAgainMilliseconds = 240_000
const logoutMilliseconds = 2_000
const batchSize = 200
const maxDatesAtOnce = 5_000
const dayMilliseconds = 86_400_000
const pieceBytes = 1024 * 1024
const overheadBytes = 1024 * 1024

/** Logs in and opens the folder. Throws a `MailboxFault`. */
export async function openMailbox(address: ImapAddress, options: OpenOptions): Promise<OpenMailbox> {
  const { host, port, encryption, user, secret, folder, taken } = address
  const { tokens, maxBytes, onNewMail = () => {}, checkedHost, stepMilliseconds = usualStepMilliseconds } = options
  const servername = servernameOf(host)
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host: checkedHost ? await checkedHost(host) : host,
    ...(checkedHost && servername ? { servername } : {}),
    port,
    secure: encryption === 'tls',
    doSTARTTLS: encryption === 'starttls',
    auth: tokens ? { user, accessToken: await tokens.current() } : { user, pass: secret },
    tls: tlsFor(host, address.certificate),
    // Otherwise it logs everything sent, including passwords.
    logger: false,
    clientInfo: { name: 'Deskline' },
    connectionTimeout: stepMilliseconds,
    greetingTimeout: stepMilliseconds,
    socketTimeout: silentMilliseconds,
    autoIdleDelay: idleAfterMilliseconds,
    maxIdleTime: idleAgainMilliseconds,
    disableCompression: true,
    maxLiteralSize: maxBytes + overheadBytes,
    maxResponseSize: 2 * (maxBytes + overheadBytes),
    maxLineLength: 16 * 1024 * 1024
  })
  // The pending command gets the error as well; without a listener it would end the process.
  client.on('error', () => {})
  client.on('exists', onNewMail)
  client.on('close', onNewMail)
  const longestMilliseconds = Math.max(stepMilliseconds, options.stepMilliseconds ?? longestCommandMilliseconds)
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await withTimeout(longestMilliseconds, work())
    } catch (error) {
      if (error instanceof TimedOut) client.close()
      const fault =
        error instanceof TimedOut
          ? new MailboxFault('timed_out', `${host}:${port} did not answer in time`)
          : faultOf(error, address)
      if (fault.isRefusedLogin) tokens?.forget()
      throw fault
    }
  }

  const giveUp = () => client.close()
  options.signal?.addEventListener('abort', giveUp)
  try {
    await told(async () => {
      await client.connect()
      await client.mailboxOpen(folder)
      if (taken.kind === 'move' && taken.to !== folder) await client.mailboxCreate(taken.to)
    })
  } catch (error) {
    client.close()
    throw error
  } finally {
    options.signal?.removeEventListener('abort', giveUp)
  }
  const opened = client.mailbox
  const [olderMails, newerMails] = [new Set<number>(), new Set<number>()]
  if (!opened) throw new MailboxFault('folder_missing', `There is no folder ${folder}`)

  return {
    isOpen: () => client.usable && client.mailbox !== false,
    total: opened.exists,
    isReadOnly: opened.readOnly === true,

    unread: () =>
      told(async () => {
        const folderNumber = numberOfFolder()
        const { beginsAt } = address
        // The days of a search are those of the server's time zone.
        const since = beginsAt && { since: new Date(beginsAt.getTime() - 2 * dayMilliseconds) }
        const all = await client.search({ seen: false, deleted: false, ...since }, { uid: true })
        if (!all) throw new MailboxFault('cannot_search', `${host} cannot say which mails of ${folder} are unread`)
        const found = beginsAt ? await arrivedSince(all, beginsAt) : all
        if (found.length === 0) return { mails: [], count: 0 }
        const oldest = found.toSorted((a, b) => a - b).slice(0, batchSize)
        const rows = await client.fetchAll(oldest, { uid: true, size: true, internalDate: true }, { uid: true })
        const mails = rows
          .filter(({ uid }) => oldest.includes(uid))
          .map(({ uid, size, internalDate }) => ({
            key: `${folderNumber}:${uid}`,
            uid,
            sizeBytes: size ?? 0,
            arrivedAt: internalDate ? new Date(internalDate) : undefined
          }))
        return { mails: mails.toSorted((a, b) => a.uid - b.uid), count: found.length }
      }),

    message: mail => Readable.from(pieces(mail), { objectMode: false }),

    beginning: async (mail, bytes) => (await piece(mail, 0, bytes)).subarray(0, bytes),

    take: mail =>
      told(async () => {
        requireSame(mail)
        const range = String(mail.uid)
        const isDone =
          taken.kind === 'delete'
            ? await client.messageDelete(range, { uid: true })
            : taken.kind === 'move'
              ? await client.messageMove(range, taken.to, { uid: true })
              : await client.messageFlagsAdd(range, ['\\Seen'], { uid: true })
        requireDone(isDone, taken.kind === 'seen' ? 'mark' : taken.kind)
      }),

    leave: mail =>
      told(async () => {
        requireSame(mail)
        const isDone = await client.messageFlagsAdd(String(mail.uid), ['\\Seen', '\\Flagged'], { uid: true })
        requireDone(isDone, 'mark')
      }),

    find: messageId =>
      told(async () => {
        const folderNumber = numberOfFolder()
        const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
        const [uid] = found || []
        return uid === undefined
          ? undefined
          : { key: `${folderNumber}:${uid}`, uid, sizeBytes: 0, arrivedAt: undefined }
      }),

    spamFolder: () => told(async () => (await client.list()).find(({ specialUse }) => specialUse === '\\Junk')?.path),

    async close() {
      await withTimeout(logoutMilliseconds, client.logout()).catch(() => {})
      client.close()
    }
  }

  /** Those of the last days that arrived then or later. What is older stays unread, so it is remembered. */
  async function arrivedSince(uids: readonly number[], begin: Date): Promise<number[]> {
    const unknown = uids.filter(uid => !olderMails.has(uid) && !newerMails.has(uid)).slice(0, maxDatesAtOnce)
    if (unknown.length > 0) {
      const rows = await client.fetchAll(unknown, { uid: true, internalDate: true }, { uid: true })
      for (const { uid, internalDate } of rows)
        (internalDate && new Date(internalDate) < begin ? olderMails : newerMails).add(uid)
    }
    return uids.filter(uid => newerMails.has(uid))
  }

  /** In chunks, since RFC822.SIZE is unreliable. */
  async function* pieces(mail: UnreadMail): AsyncGenerator<Buffer> {
    for (let at = 0; ; ) {
      const bytes = await piece(mail, at, pieceBytes)
      yield bytes
      at += bytes.length
      // Some servers ignore the requested range and send everything.
      if (bytes.length !== pieceBytes) return
    }
  }

  async function piece(mail: UnreadMail, start: number, maxLength: number): Promise<Buffer> {
    return await told(async () => {
      requireSame(mail)
      const range = String(mail.uid)
      const found = await client.fetchOne(range, { uid: true, source: { start, maxLength } }, { uid: true })
      if (!found || found.uid !== mail.uid)
        throw new MailboxFault('mail_gone', `The mail ${mail.uid} is no longer in ${folder}`)
      return found.source ?? Buffer.alloc(0)
    })
  }

  /** The error says only that it failed, also if the connection has broken. */
  function requireDone(isDone: unknown, verb: 'mark' | 'move' | 'delete'): void {
    if (isDone) return
    if (!client.usable) throw new MailboxFault('connection_lost', `The connection to ${host} was lost`)
    throw new MailboxFault(`cannot_${verb}`, `${host} does not let us ${verb} what was taken from ${folder}`)
  }

  function numberOfFolder(): bigint {
    if (!client.mailbox) throw new MailboxFault('folder_changed', `The folder ${folder} has been closed`)
    return client.mailbox.uidValidity
  }

  /** If the folder was recreated meanwhile, the same UID is another mail. */
  function requireSame({ key, uid }: UnreadMail): void {
    if (key !== `${numberOfFolder()}:${uid}`)
      throw new MailboxFault('folder_changed', `The folder ${folder} was made anew`)
  }
}
