import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { EarlierMessage } from '../../core/wording/quoted.ts'
import type { FileOfMessage } from '../../mail/outbox/ticket-emails.ts'
import { partsOf } from '../followers/followers.ts'

const maxEarlier = 10
const maxEarlierCharacters = 5_000
const maxReferences = 16
/** Mail programs do not use longer Message-IDs. */
const maxReferenceCharacters = 250

/** Who gets an e-mail about a ticket: `is_of_client` tells whether the address is the client's. */
interface TicketReader {
  id: number
  email: string
  is_of_client: boolean
}

/**
 * The messages of the ticket before these, newest first, without those that came at another address than the reader's, unless the client had
 * proven that one too. Notes are stored elsewhere and never included.
 */
export async function earlierMessages(
  db: Db,
  { id: ticket, email, is_of_client: isOfClient }: TicketReader,
  messageIds: readonly number[]
): Promise<EarlierMessage[]> {
  if (messageIds.length === 0) return []
  const found = await messagesBefore(db, {
    ticket,
    email,
    isOfClient,
    newest: Math.max(...messageIds),
    told: messageIds,
    limit: maxEarlier,
    characters: maxEarlierCharacters + 1
  })
  return found.map(({ first_name, last_name, message, created_at }) => ({
    by: `${first_name} ${last_name}`,
    text: message,
    at: created_at
  }))
}

interface Before {
  ticket: number
  email: string
  isOfClient: boolean
  newest: number
  told: readonly number[]
  limit: number
  characters: number
}

const messagesBefore = prepared((db, p: Before) => {
  const isReaders = (email: string) => sql<boolean>`(${sql.ref(email)} = lower(${p.email})
    or (${p.isOfClient}::boolean and ${sql.ref(email)} = any(owner.former_emails)))`
  return db
    .selectFrom('ticket_messages as message')
    .innerJoin('tickets as part', 'part.id', 'message.ticket_id')
    .innerJoin('clients as owner', 'owner.id', 'part.client_id')
    .where(
      sql<boolean>`(${isReaders('part.client_email')} or (part.client_email is null and ${p.isOfClient}::boolean))`
    )
    .where(sql<boolean>`(message.client_email is null or ${isReaders('message.client_email')})`)
    .leftJoin('clients as writer', 'writer.id', 'message.client_id')
    .leftJoin('staff as answerer', 'answerer.id', 'message.staff_id')
    .where('message.ticket_id', '=', partsOf(p.ticket))
    .where('message.id', '<', p.newest)
    .where('message.id', '<>', sql<number>`all(${p.told}::bigint[])`)
    .select(({ fn, val }) => [
      'message.id',
      'message.created_at',
      fn<string>('left', ['message.message', sql`${val(p.characters)}::int`]).as('message'),
      fn.coalesce('writer.first_name', 'answerer.first_name', 'message.sender_first_name').as('first_name'),
      fn.coalesce('writer.last_name', 'answerer.last_name', 'message.sender_last_name').as('last_name')
    ])
    .orderBy('message.created_at', 'desc')
    .orderBy('message.id', 'desc')
    .limit(p.limit)
})

/**
 * The Message-IDs, in angle brackets, that put an e-mail into the recipient's thread, the one it replies to last: the first e-mail of the thread
 * (`root`), received mails, and ours to the recipient. Ours to others are left out, as whoever knows one can write in the ticket. Empty if there
 * are none.
 */
export async function referencesOf(
  db: Db,
  { ticket, recipient, hostname, root }: { ticket: number; recipient: string; hostname: string; root?: string }
): Promise<string[]> {
  const received = await receivedIn(db, { ticket, recipient, limit: maxReferences })
  const mails = received.filter(({ ref }) => isReference(ref))
  const sent = mails.length > 0 ? await sentTo(db, { ticket, recipient, limit: maxReferences }) : []
  const ours = sent.map(({ ref, at }) => ({ ref: `${ref}@${hostname}`, at }))
  const answered = mails.find(({ is_own }) => is_own)?.ref ?? mails[0]?.ref ?? root
  if (answered === undefined) return []
  const before = [...mails, ...ours]
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ ref }) => ref)
    .filter(ref => ref !== root && ref !== answered)
  const all = new Set([...(root ? [root] : []), ...before.slice(-maxReferences), answered])
  return [...all].map(ref => `<${ref}>`)
}

function isReference(ref: string): boolean {
  return ref.length <= maxReferenceCharacters && /^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(ref)
}

/** Newest first. */
const receivedIn = prepared((db, p: { ticket: number; recipient: string; limit: number }) =>
  db
    .selectFrom('ticket_messages as message')
    .innerJoin('message_emails as email', 'email.message_id', 'message.id')
    .where('message.ticket_id', '=', partsOf(p.ticket))
    .where('email.message_ref', 'is not', null)
    .where('email.is_automatic', '=', false)
    .select(({ ref }) => [
      ref('email.message_ref').$notNull().as('ref'),
      'message.created_at as at',
      sql<boolean>`coalesce(lower(email.from_email) = lower(${p.recipient}), false)`.as('is_own')
    ])
    .orderBy('message.id', 'desc')
    .limit(p.limit)
)

const sentTo = prepared((db, p: { ticket: number; recipient: string; limit: number }) =>
  db
    .selectFrom('sent_emails')
    .where('ticket_id', '=', partsOf(p.ticket))
    .where(sql`lower(recipient)`, '=', sql`lower(${p.recipient})`)
    .select(['ref', 'created_at as at'])
    .orderBy('id', 'desc')
    .limit(p.limit)
)

/** The files of these messages, in order. */
export const filesOfMessages = prepared((db, p: { messageIds: readonly number[] }) =>
  db
    .selectFrom('ticket_attachments')
    .where('message_id', '=', sql<number>`any(${p.messageIds}::bigint[])`)
    .select(['id', 'file_name as name', 'file_size as sizeBytes', 'scan_state as scanState', 'file_path as path'])
    .select('message_id')
    .$castTo<FileOfMessage & { path: string; message_id: number | null }>()
    .orderBy('id')
)

/** Whether files of staff messages since then are still being scanned. */
export async function areFilesBeingScanned(db: Db, ticket: number, since: Date): Promise<boolean> {
  return (await pendingFiles(db, { ticket, since })).length > 0
}

const pendingFiles = prepared((db, p: { ticket: number; since: Date }) =>
  db
    .selectFrom('ticket_attachments as file')
    .innerJoin('ticket_messages as message', 'message.id', 'file.message_id')
    .where('file.ticket_id', '=', p.ticket)
    .where('file.scan_state', '=', 'pending')
    .where('file.created_at', '>', p.since)
    .where('message.staff_id', 'is not', null)
    .select('file.id')
    .limit(1)
)
