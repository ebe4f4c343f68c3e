import type { Readable } from 'node:stream'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { InboundMailRow, MailChannel } from '../../core/tables/mails.ts'
import { logDuplicate, logIncoming } from '../../mail/log/log-incoming.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import type { HoldReason } from './hold-reasons.ts'
import { type Digests, digestStream, MessageTooLarge } from './raw-digests.ts'
import { logRefused } from './refused-mails.ts'

/** A raw message as it came in. */
export interface Incoming {
  raw: Readable
  via: MailChannel
  /** The SMTP envelope; an empty sender is the null sender. */
  recipient?: string | undefined
  sender?: string | undefined
  /** The sending mail server, if known. */
  peer?: { address: string; name: string } | undefined
  /** Called when the whole message was read, before it is kept; an error refuses the message. */
  accept?: () => void
  /** Holds it for this reason whatever it says, even if it is no message. */
  holdFor?: HoldReason | undefined
  /** Only the beginning of a message, which does not count as a duplicate of the whole. */
  isCut?: boolean
  /** If the sender cannot be told that it is too large, its beginning is held. */
  cutsTooLarge?: boolean
  /** The connected mailbox from which it was fetched. */
  mailboxId?: number | undefined
}

/** `isNew`: it was not there before, so nobody else settles it at this moment, and this is what its row says. */
export type StoredMail = { id: number; isNew?: undefined } | (BegunMail & { isNew: true })

/** The row of a mail that is being settled. `attempts`: those that did not finish, this one included unless it is the first. */
export type BegunMail = Pick<InboundMailRow, (typeof mailColumns)[number]> & { file_path: string }

const mailColumns = [
  'id',
  'attempts',
  'via',
  'envelope_recipient',
  'envelope_sender',
  'peer_address',
  'peer_name',
  'message_ref',
  'mailbox_id',
  'received_at',
  'size_bytes',
  'reason',
  'held_reason'
] as const

export const begunColumns = [...mailColumns.map(column => `mail.${column}` as const), 'file.file_path' as const]

/** The input is no message: there is nothing to store. */
export class NoMessage extends Error {}

/**
 * Stores a raw message before anything parses it: when this resolves it is flushed and committed. A duplicate is not stored; the id of the
 * existing mail is returned. Throws `NoMessage`, `MessageTooLarge`, and the errors of a full disk or an unreachable database.
 */
export async function storeMail(services: StoreServices, given: Incoming): Promise<StoredMail> {
  const { files } = services
  const { staged, digests: whole } = await stage(services, given).catch(error => refused(services, given, error))
  const isCut = given.isCut || whole.isCut
  const isDamaged = !whole.isMessage && whole.hasHeader
  const holdFor = given.holdFor ?? (whole.isCut ? 'too_large' : isDamaged ? 'no_message' : undefined)
  const incoming: Incoming = { ...given, holdFor }
  const digests = isCut ? { ...whole, dateKey: undefined, bodyKey: undefined } : whole
  try {
    incoming.accept?.()
    if (!digests.isMessage && !digests.hasHeader && !given.holdFor) {
      await logRefused(services, { ...given, head: digests }, 'no_message')
      throw new NoMessage('This is no message: it has no header.')
    }
    const stored =
      (await insertOnce(services, incoming, staged, digests)) ??
      (await insertBeside(services, incoming, staged, digests))
    if (stored) return { ...stored, isNew: true }
    await files.unstage([staged])
    const known = await knownMail(services.db, digests)
    if (known === undefined) throw new Error('The mail that was there already has just been removed')
    await logDuplicate(services.db, { ...loggedAs(given, digests), mailId: known.id }, services.clock.now())
    return { id: known.id }
  } catch (error) {
    await files.unstage([staged])
    throw error
  }
}

/**
 * Logs that it was too large. Where a message is only known to be genuine when it is complete, nothing is logged: anybody could fill the log.
 */
async function refused(services: StoreServices, given: Incoming, error: unknown): Promise<never> {
  if (error instanceof MessageTooLarge && !given.accept) await logRefused(services, given, 'too_large')
  throw error
}

function loggedAs({ via, recipient, sender }: Incoming, head: Digests) {
  return {
    via,
    sender: head.sender ?? shortened(sender || undefined),
    recipients: recipient ? [recipient] : [],
    subject: head.subject,
    messageRef: head.messageRef?.slice(0, 500) ?? null,
    sizeBytes: head.sizeBytes
  }
}

/** Incompressible content grows a little. */
const overheadBytes = 1024

type StoreServices = Pick<Services, 'db' | 'files' | 'clock' | 'config' | 'scanner' | 'jobs'>

async function stage({ files, config }: StoreServices, { raw, cutsTooLarge = false }: Incoming) {
  const maxBytes = config.MAIL_MAX_BYTES
  const { stream, digests } = digestStream(maxBytes, { cuts: cutsTooLarge })
  const compressed = new PassThrough()
  const copied = pipeline(raw, stream, createGzip({ level: 4 }), compressed)
  // Both end together; the first failure is reported.
  const [staged] = await Promise.all([
    files.stage(
      compressed,
      { fileName: 'message.eml.gz', fileType: 'application/gzip' },
      { maxBytes: maxBytes + Math.ceil(maxBytes / 100) + overheadBytes }
    ),
    copied.catch(error => {
      compressed.destroy(error)
      throw error
    })
  ])
  return { staged, digests: digests() }
}

/**
 * If the Message-ID, sender and date match a stored mail but the text differs, it is a separate mail, unless the author of the stored one is
 * proven: otherwise a forger who knows the three could have the genuine mail dropped as a duplicate. Undefined if it is the same.
 */
async function insertBeside(
  services: StoreServices,
  incoming: Incoming,
  staged: StagedFile,
  digests: Digests
): Promise<BegunMail | undefined> {
  const known = await knownMail(services.db, digests)
  const isSame = !known || known.sha256 === digests.sha256 || known.body_key === digests.bodyKey
  if (isSame || known.state === 'received' || known.authentication?.verdict === 'pass') return undefined
  return await insertOnce(services, incoming, staged, { ...digests, dateKey: undefined })
}

/** Undefined if the same mail exists, or is being stored at this moment. */
async function insertOnce(
  services: StoreServices,
  incoming: Incoming,
  staged: StagedFile,
  digests: Digests
): Promise<BegunMail | undefined> {
  const { files, clock } = services
  const { via, recipient, sender, peer, holdFor, mailboxId } = incoming
  const { sha256, sizeBytes, messageRef, dateKey, bodyKey } = digests
  return await act({ ...services, clock }, system, async act => {
    const [mail] = await insertMail(act.db, {
      fileName: staged.fileName,
      filePath: staged.path,
      fileType: staged.fileType,
      fileSize: staged.fileSizeBytes,
      fileSha256: staged.sha256,
      sha256,
      dateKey: dateKey ?? null,
      bodyKey: bodyKey ?? null,
      messageRef: messageRef?.slice(0, 500) ?? null,
      via,
      recipient: shortened(recipient),
      sender: shortened(sender),
      peerAddress: shortened(peer?.address),
      peerName: shortened(peer?.name),
      sizeBytes,
      reason: holdFor ?? null,
      mailbox: mailboxId ?? null,
      now: act.now
    })
    if (!mail) return undefined
    await logIncoming(act.db, { ...loggedAs(incoming, digests), outcome: 'received', mailId: mail.id }, act.now)
    act.beforeCommit(() => files.keep([staged]))
    return mail
  })
}

function shortened(address: string | undefined): string | null {
  return address === undefined ? null : address.replace(/^<|>$/g, '').replaceAll('\0', '').toWellFormed().slice(0, 500)
}

interface NewMail {
  fileName: string
  filePath: string
  fileType: string
  fileSize: number
  fileSha256: string
  sha256: string
  dateKey: string | null
  bodyKey: string | null
  messageRef: string | null
  via: MailChannel
  recipient: string | null
  sender: string | null
  peerAddress: string | null
  peerName: string | null
  sizeBytes: number
  reason: HoldReason | null
  mailbox: number | null
  now: Date
}

/** With the row of its file. Raw messages are only ever downloaded, since they are never scanned. */
const insertMail = prepared((db, p: NewMail) =>
  db
    .with('mail', db =>
      db
        .insertInto('inbound_mails')
        .values({
          sha256: p.sha256,
          date_key: p.dateKey,
          body_key: p.bodyKey,
          message_ref: p.messageRef,
          via: p.via,
          envelope_recipient: p.recipient,
          envelope_sender: p.sender,
          peer_address: p.peerAddress,
          peer_name: p.peerName,
          size_bytes: p.sizeBytes,
          reason: p.reason,
          mailbox_id: p.mailbox,
          received_at: p.now
        })
        .onConflict(conflict => conflict.doNothing())
        .returning(mailColumns)
    )
    .with('file', db =>
      db
        .insertInto('ticket_attachments')
        .columns(['mail_id', 'file_name', 'file_path', 'file_type', 'file_size', 'sha256', 'created_at'])
        .expression(db =>
          db
            .selectFrom('mail')
            .select([
              'id',
              sql<string>`${p.fileName}::text`.as('file_name'),
              sql<string>`${p.filePath}::text`.as('file_path'),
              sql<string>`${p.fileType}::text`.as('file_type'),
              sql<number>`${p.fileSize}::bigint`.as('file_size'),
              sql<string>`${p.fileSha256}::text`.as('sha256'),
              sql<Date>`${p.now}::timestamptz`.as('created_at')
            ])
        )
        .returning('file_path')
    )
    .selectFrom(['mail', 'file'])
    .select(begunColumns)
)

/** The existing mail; one with the same text is preferred to one with only the same date. */
async function knownMail(db: Db, { sha256, dateKey, bodyKey }: Digests) {
  const [known] = await alike(db, { sha256, dateKey: dateKey ?? null, bodyKey: bodyKey ?? null })
  return known
}

const alike = prepared((db, p: { sha256: string; dateKey: string | null; bodyKey: string | null }) =>
  db
    .selectFrom('inbound_mails')
    .where(({ or, eb }) =>
      or([eb('sha256', '=', p.sha256), eb('date_key', '=', p.dateKey), eb('body_key', '=', p.bodyKey)])
    )
    .select(['id', 'sha256', 'body_key', 'state', 'authentication'])
    .orderBy(sql`sha256 = ${p.sha256} or body_key is not distinct from ${p.bodyKey}::text`, 'desc')
    .orderBy('id')
    .limit(1)
)
