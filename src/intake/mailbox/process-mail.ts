import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { unusablePassword } from '../../people/clients/unusable-password.ts'
import { outerTransaction } from '../../platform/db/outer-transaction.ts'
import { MailNotRead, type MailReader } from '../../platform/mail-reading/mail-reader.ts'
import { type MailStart, readStart } from '../../platform/mail-reading/read-head.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import { authenticationOf } from './authenticate-mail.ts'
import { blockedReason, isBlocked } from './blocked-senders.ts'
import { decideMail } from './decide-mail.ts'
import { forwardedBy } from './forwarded-mail.ts'
import { type HoldReason, heldFor, reasonOf } from './hold-reasons.ts'
import type { MailDecision, MailDetails } from './mail-decision.ts'
import { stageFiles } from './mail-files.ts'
import { notifyOfHeldMail } from './notify-of-held-mail.ts'
import { openRaw, startOfRaw, wholeRaw } from './raw-mail.ts'
import { accountOfSender } from './sender-account.ts'
import { type BegunMail, begunColumns, type StoredMail } from './store-mail.ts'
import { writeDecision } from './write-decision.ts'

/** The services needed to settle mails. */
export type MailServices = Services & { mailReader: MailReader }

/** A mail is not parsed again after this many more attempts that did not finish. */
const maxAttempts = 5
/** Larger mails are not unpacked into memory. */
const maxReadBytes = 200 * 1024 * 1024
const maxStartBytes = 64 * 1024

/**
 * Parses a stored mail, decides on it, and carries the decision out, in one transaction; a process that settles the same mail waits and finds it
 * done. Unreadable mails are held for staff. Resolves to whether it was settled here. The first attempt of a mail is not counted, since a write of
 * its own for that would take as long as the rest.
 */
export async function processMail(services: MailServices, stored: StoredMail): Promise<boolean> {
  const begun = stored.isNew ? stored : (await beginMail(services.db, { id: stored.id }))[0]
  if (!begun) return false
  const read = begun.attempts > maxAttempts ? 'failed_repeatedly' : await readStored(services, begun)
  return await decideAndStore(services, begun, read)
}

const beginMail = prepared((db, p: { id: number }) =>
  db
    .updateTable('inbound_mails as mail')
    .from('ticket_attachments as file')
    .whereRef('file.mail_id', '=', 'mail.id')
    .where('mail.id', '=', p.id)
    .where('mail.state', '=', 'received')
    .set(eb => ({ attempts: eb('mail.attempts', '+', 1) }))
    .returning(begunColumns)
)

/** The parsed mail, or why it was not parsed. */
export async function readStored(
  services: MailServices,
  mail: Pick<BegunMail, 'id' | 'file_path' | 'size_bytes' | 'envelope_sender' | 'envelope_recipient'>
): Promise<ReadMail | HoldReason> {
  const { log, mailReader } = services
  if (mail.size_bytes > maxReadBytes) return 'too_large'
  const raw = await wholeRaw(await requiredRaw(services, mail), mail.size_bytes)
  try {
    return await mailReader.read(raw, {
      sender: mail.envelope_sender ?? undefined,
      recipient: mail.envelope_recipient ?? undefined
    })
  } catch (error) {
    if (!(error instanceof MailNotRead)) throw error
    log.warn(
      { mailId: mail.id, reason: error.message, detail: error.detail },
      'An e-mail could not be parsed and is held'
    )
    return reasonOf(error)
  }
}

async function requiredRaw(services: MailServices, { id, file_path }: Pick<BegunMail, 'id' | 'file_path'>) {
  const raw = await openRaw(services, file_path)
  if (!raw) throw new Error(`The raw message ${file_path} of the mail ${id} is missing`)
  return raw
}

/** What the beginning of an unparsed mail says. */
export async function startOf(
  services: MailServices,
  mail: Pick<BegunMail, 'id' | 'file_path' | 'envelope_sender'>
): Promise<MailStart> {
  return readStart(await startOfRaw(await requiredRaw(services, mail), maxStartBytes), mail.envelope_sender)
}

async function decideAndStore(services: MailServices, mail: BegunMail, read: ReadMail | HoldReason): Promise<boolean> {
  return await withDecision(services, mail, read, decide => inOne(services, mail.id, decide))
}

/** Decides on a mail with a transaction that has it locked. */
export type Decide = (db: Db) => Promise<MailDecision>

/** Gets all ready that deciding on a mail takes, beforehand, so that nobody waits for it; `carryOut` decides. */
export async function withDecision<R>(
  services: MailServices,
  mail: BegunMail,
  read: ReadMail | HoldReason,
  carryOut: (decide: Decide) => Promise<R>
): Promise<R> {
  // The receiving channel has asked to hold it.
  const { reason } = mail
  if (reason !== null && typeof read !== 'string')
    return await carryOut(async () => ({ ...whatItSays(read), state: 'held', reason: heldFor(mail) }))
  if (typeof read === 'string')
    return await carryOut(await decideUnparsed(services, mail, reason === null ? read : heldFor(mail)))
  const authentication = await authenticationOf(services, mail, read)
  const forward = await forwardedBy(services, read)
  const { staged, omitted } = await stageFiles(services, forward?.read ?? read)
  const { from, replyTo } = forward?.read ?? read
  const isKnown = from && replyTo.length === 0 && (await accountOfSender(services.db, from.email))
  const password = isKnown ? undefined : await unusablePassword(services.passwords)
  try {
    return await carryOut(async db =>
      decideMail({ ...services, db }, { mail, read, authentication, forward, files: staged, omitted, password })
    )
  } finally {
    // Files that a ticket uses stay.
    await services.files.unstage(staged)
  }
}

function whatItSays(read: ReadMail): MailDetails {
  const { from, subject, automatic } = read
  return { sender: from?.email ?? null, senderName: from?.name ?? null, subject, isAutomatic: automatic !== undefined }
}

/** The apparent author is stored too, if the beginning names one, for search and erasure. */
async function decideUnparsed(services: MailServices, mail: BegunMail, reason: HoldReason): Promise<Decide> {
  const { from, subject } = await startOf(services, mail)
  const about = { sender: from?.email ?? null, senderName: from?.name ?? null, subject }
  return async db => {
    if (from && (await isBlocked(db, [from.email]))) return { ...about, state: 'dropped', reason: blockedReason }
    return { ...about, state: 'held', reason }
  }
}

/** Decides with the mail locked, and records the decision; false if it was settled already. */
async function inOne(services: MailServices, id: number, decide: Decide): Promise<boolean> {
  return await outerTransaction(services.db, { isRepeatable: true }, async db => {
    const [open] = await lockedOpenMail(db, { id })
    if (!open) return false
    const decided = await decide(db)
    await writeDecision(db, { ...decided, id, now: services.clock.now() })
    if (decided.state === 'held') await notifyOfHeldMail({ ...services, db }, { id, reason: decided.reason })
    return true
  })
}

const lockedOpenMail = prepared((db, p: { id: number }) =>
  db.selectFrom('inbound_mails').where('id', '=', p.id).where('state', '=', 'received').select('id').forUpdate()
)
