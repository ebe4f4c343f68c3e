import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { canSendAgain } from '../../mail/outbox/send-again.ts'
import { requireAllTickets } from '../mailbox/held-mails.ts'
import { openRaw, startOfRaw } from '../mailbox/raw-mail.ts'
import { type LoggedMail, loggedMail, mailsAbout } from './logged-mails.ts'

export const LoggedMailNotFound = failure(404, 'mail_not_found', 'There is no such e-mail in the mail log')

/** The row, if the actor sees the log. Throws `Forbidden` and `LoggedMailNotFound`. */
export async function requiredLoggedMail(db: Db, actor: StaffActor, id: number): Promise<LoggedMail> {
  requireAllTickets(actor)
  const mail = await loggedMail(db, id)
  if (!mail) throw LoggedMailNotFound()
  return mail
}

/** An e-mail of the log with all that is known of it. */
export interface LoggedMailDetail {
  mail: LoggedMail
  envelopeSender: string | null
  envelopeRecipient: string | null
  hasRaw: boolean
  /** When the raw message goes, unless it is held. */
  rawUntil: Date | null
  raw: { text: string; isWhole: boolean } | undefined
  canProcess: boolean
  canSend: boolean
  /** The client whose address it went to. */
  client: { id: number; first_name: string; last_name: string } | undefined
  about: LoggedMail | undefined
  followedBy: LoggedMail[]
}

const daySeconds = 86_400
const maxRawBytes = 64 * 1024

/** `withRaw`: with the beginning of its raw message, unless that carries a code or a link. */
export async function loggedMailDetail(
  services: Services,
  actor: StaffActor,
  id: number,
  { withRaw }: { withRaw: boolean }
): Promise<LoggedMailDetail> {
  const { db, config } = services
  const mail = await requiredLoggedMail(db, actor, id)
  const [stored] = mail.mail_id === null ? [] : await storedMail(db, { id: mail.mail_id })
  const path = mail.is_secret ? null : (stored?.file_path ?? null)
  const isKept = stored?.file_path != null
  return {
    mail,
    envelopeSender: stored?.envelope_sender ?? null,
    envelopeRecipient: mail.is_erased ? null : (stored?.envelope_recipient ?? null),
    hasRaw: path !== null,
    rawUntil:
      isKept && stored.settled_at && mail.outcome !== 'held'
        ? secondsAfter(stored.settled_at, config.MAIL_RETENTION_DAYS * daySeconds)
        : null,
    raw: withRaw && path !== null ? await rawOf(services, path) : undefined,
    canProcess: isKept && mayBeProcessed(stored.state),
    canSend:
      mail.direction === 'out' &&
      mail.outbox_message_id !== null &&
      !mail.is_erased &&
      (await canSendAgain(db, mail.outbox_message_id)),
    client:
      mail.direction === 'out' ? (await clientAt(db, { id: mail.client_id, email: mail.recipients }))[0] : undefined,
    about: mail.about_id === null ? undefined : await loggedMail(db, mail.about_id),
    followedBy: await mailsAbout(db, id)
  }
}

/** What is a ticket or a reply stays one: each mail is taken in once. */
export function mayBeProcessed(state: string): boolean {
  return ['held', 'dropped', 'refused', 'bounce'].includes(state)
}

async function rawOf(services: Services, path: string): Promise<LoggedMailDetail['raw']> {
  const raw = await openRaw(services, path)
  if (!raw) return undefined
  const start = await startOfRaw(raw, maxRawBytes + 1)
  const text = start.subarray(0, maxRawBytes).toString('utf8').replaceAll('\0', '').toWellFormed()
  return { text, isWhole: start.length <= maxRawBytes }
}

const clientAt = prepared((db, p: { id: number | null; email: string }) =>
  db
    .selectFrom('clients')
    .where('id', '=', sql<number>`${p.id}::bigint`)
    .where(sql`lower(email)`, '=', sql`lower(${p.email})`)
    .select(['id', 'first_name', 'last_name'])
)

const storedMail = prepared((db, p: { id: number }) =>
  db
    .selectFrom('inbound_mails as mail')
    .leftJoin('ticket_attachments as file', 'file.mail_id', 'mail.id')
    .where('mail.id', '=', p.id)
    .select(['mail.state', 'mail.settled_at', 'mail.envelope_sender', 'mail.envelope_recipient', 'file.file_path'])
)
