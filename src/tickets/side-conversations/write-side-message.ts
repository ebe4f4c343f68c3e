import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { ForwardedMessage } from '../../core/tables/side-conversations.ts'
import type { Email } from '../../core/wording/email-templates.ts'
import type { EarlierMessage } from '../../core/wording/quoted.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import type { SentFile } from '../../mail/outbox/content.ts'
import { answerOf, type FileOfMessage } from '../../mail/outbox/ticket-emails.ts'
import { sideSender, ticketSender } from '../../mail/support-addresses/ticket-address.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { listedFiles } from '../threads/add-message.ts'
import type { LockedTicket } from '../ticket/locked-ticket.ts'
import type { AttachmentView } from '../ticket/schemas.ts'
import type { Recipient } from './recipients.ts'

/** The kind of the e-mails of side conversations. No list of what a client got has it. */
const sideEmailKind = 'side-conversation'

/** A message to write into a side conversation. Files of the ticket that go along are already in the store; `uploads` are new. */
export interface NewSideMessage {
  /** The id that it has waited under. */
  promisedId?: number | undefined
  conversationId: number
  staffId: number | null
  senderName: string
  senderEmail: string | null
  message: string
  html: string | null
  quoted?: string
  emailHtml?: string | null
  isAutomatic?: boolean
  copiesClient?: boolean
  forwarded?: readonly ForwardedMessage[]
  forwardedFiles?: readonly number[]
  uploads: readonly StagedFile[]
  scanState: 'pending' | 'clean'
}

/** Inserts a message with its files. */
export async function writeSideMessage({ db, now }: Act, given: NewSideMessage) {
  const [message] = await insertMessage(db, {
    id: given.promisedId ?? null,
    conversation: given.conversationId,
    staff: given.staffId,
    name: given.senderName.slice(0, 255),
    email: given.senderEmail,
    message: given.message,
    html: given.html,
    quoted: given.quoted ?? '',
    emailHtml: given.emailHtml ?? null,
    isAutomatic: given.isAutomatic ?? false,
    copiesClient: given.copiesClient ?? false,
    forwarded: JSON.stringify(given.forwarded ?? []),
    forwardedFiles: given.forwardedFiles ?? [],
    now
  })
  if (given.uploads.length === 0) return { id: message!.id, attachments: [] as (AttachmentView & FileOfMessage)[] }
  const files = JSON.stringify(given.uploads)
  return {
    id: message!.id,
    attachments: await insertFiles(db, { message: message!.id, files, scanState: given.scanState, now })
  }
}

interface Row {
  /** Null: the next one. */
  id: number | null
  conversation: number
  staff: number | null
  name: string
  email: string | null
  message: string
  html: string | null
  quoted: string
  emailHtml: string | null
  isAutomatic: boolean
  copiesClient: boolean
  forwarded: string
  forwardedFiles: readonly number[]
  now: Date
}

const insertMessage = prepared((db, p: Row) =>
  db
    .insertInto('side_messages')
    .values({
      id: sql<number>`coalesce(${p.id}::bigint, nextval(pg_get_serial_sequence('side_messages', 'id')))`,
      conversation_id: p.conversation,
      staff_id: p.staff,
      sender_name: p.name,
      sender_email: p.email,
      message: p.message,
      formatted_html: p.html,
      quoted: p.quoted,
      email_html: p.emailHtml,
      is_automatic: p.isAutomatic,
      copies_client: p.copiesClient,
      forwarded: p.forwarded,
      forwarded_files: p.forwardedFiles,
      created_at: p.now
    })
    .returning('id')
)

interface NewFiles {
  message: number
  files: string
  scanState: 'pending' | 'clean'
  now: Date
}

const insertFiles = prepared((db: Db, p: NewFiles) =>
  db
    .insertInto('ticket_attachments')
    .columns([
      ...(['side_message_id', 'file_name', 'file_path', 'file_type'] as const),
      ...(['file_size', 'sha256', 'scan_state', 'created_at'] as const)
    ])
    .expression(db =>
      db
        .selectFrom(listedFiles(p.files).as('file'))
        .select(eb => [
          eb.val(p.message).as('side_message_id'),
          'file.fileName',
          'file.path',
          'file.fileType',
          'file.fileSizeBytes',
          'file.sha256',
          sql<'pending' | 'clean'>`${p.scanState}`.as('scan_state'),
          eb.val(p.now).as('created_at')
        ])
        .orderBy('file.ordinality')
    )
    .returning(['id', 'file_name', 'file_path', 'file_size', 'file_type'])
    .returning(({ ref }) => [
      ref('file_name').as('name'),
      ref('file_size').as('sizeBytes'),
      ref('file_path').as('path'),
      ref('scan_state').as('scanState')
    ])
)

interface Sending {
  actor: StaffActor
  ticket: LockedTicket
  conversation: { id: number; subject: string; thread_id: string }
  recipients: readonly { email: string; role: Recipient['role'] | 'new' }[]
  message: { id: number; text: string; html: string | null }
  files: readonly FileOfMessage[]
  /** What goes along, or was written before. */
  thread: readonly EarlierMessage[]
  isFirst: boolean
  requestId: string | null
}

/** The e-mail of a message, and the files that go with it. */
export function sideEmail({
  actor,
  conversation,
  message,
  files,
  thread,
  isFirst
}: Pick<Sending, 'actor' | 'files' | 'thread' | 'isFirst'> & {
  conversation: Pick<Sending['conversation'], 'subject'>
  message: Omit<Sending['message'], 'id'>
}): { email: Email; files: SentFile[] } {
  const by = `${actor.firstName} ${actor.lastName}`
  const messages = [{ by, text: message.text, ...(message.html === null ? {} : { html: message.html }) }]
  // Files are within the limit (`requireFilesToSend`): none is left for a link, which a third party could not follow.
  const told = answerOf(messages, { files, maxFileBytes: Number.MAX_SAFE_INTEGER })
  const values = { 'conversation.subject': conversation.subject, messages: told.answer, thread, answer: !isFirst }
  return { email: { template: 'side-conversation', values }, files: told.files }
}

/** Queues the e-mails of a message, one for each recipient, which names them all: each answers to the signed address of the conversation. */
export async function sendSideMessage(services: Services, db: Db, given: Sending): Promise<void> {
  const { ticket, conversation, recipients, message, isFirst, requestId } = given
  const sender = await ticketSender({ ...services, db }, ticket)
  const told = sideEmail(given)
  const inCopy = recipients.filter(({ role }) => role === 'cc').map(({ email }) => email)
  const shown = {
    shownTo: recipients.filter(({ role }) => role !== 'cc').map(({ email }) => email),
    ...(inCopy.length > 0 ? { shownCc: inCopy } : {})
  }
  for (const { email: recipient } of recipients) {
    await addToOutbox(services, db, {
      kind: sideEmailKind,
      channel: 'mail',
      recipient,
      // Erasing the client takes what was forwarded of theirs.
      clientId: ticket.client_id,
      ...(requestId ? { requestId } : {}),
      reader: undefined,
      email: told.email,
      about: { ticketId: ticket.id, sideMessageId: message.id },
      marks: {
        ...(sender ? sideSender(services.keys, sender, conversation.id) : {}),
        references: isFirst ? [] : await refsTo(db, services, { conversation: conversation.id, recipient }),
        isPersonal: true,
        ...(recipients.length > 1 ? shown : {}),
        files: told.files
      }
    })
  }
}

/** The Message-IDs of the e-mails of a conversation to and from this person, the newest last. */
async function refsTo(
  db: Db,
  { config }: Pick<Services, 'config'>,
  about: { conversation: number; recipient: string }
): Promise<string[]> {
  const { hostname } = new URL(config.BASE_URL)
  const found = await refsOf(db, about)
  return found.toReversed().map(({ ref, is_own }) => (is_own ? `<${ref}@${hostname}>` : `<${ref}>`))
}

const refsOf = prepared((db, p: { conversation: number; recipient: string }) =>
  db
    .selectFrom(
      sql<{ ref: string; is_own: boolean; at: Date }>`(
        select sent.ref, true as is_own, sent.created_at as at from side_messages as message
          join sent_emails as sent on sent.side_message_id = message.id
          where message.conversation_id = ${p.conversation} and lower(sent.recipient) = lower(${p.recipient})
        union all
        select mail.message_ref, false, message.created_at from side_messages as message
          join inbound_mails as mail on mail.side_message_id = message.id
          where message.conversation_id = ${p.conversation} and mail.message_ref ~ '^[!-;=?-~]{1,250}$')`.as('known')
    )
    .select(['known.ref', 'known.is_own'])
    .orderBy('known.at', 'desc')
    .limit(16)
)
