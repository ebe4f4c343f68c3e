import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { type Format, formattedHtml } from '../../core/formatted-text/format.ts'
import type { Services } from '../../core/services.ts'
import type { ForwardedMessage, GivenForwarding } from '../../core/tables/side-conversations.ts'
import type { EarlierMessage } from '../../core/wording/quoted.ts'
import { readableSize } from '../../lib/size.ts'
import { previewOfEmail } from '../../mail/outbox/preview-email.ts'
import type { FileOfMessage } from '../../mail/outbox/ticket-emails.ts'
import { ticketSender } from '../../mail/support-addresses/ticket-address.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { mailboxesIn } from '../../platform/mail-reading/addresses.ts'
import { partsOf } from '../followers/followers.ts'
import { actWithFiles } from '../threads/add-message.ts'
import { lockedForReply, lockedUnmerged } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound, visibleTicketQuery } from '../ticket/ticket-for.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { type Recipient, requireThirdParties } from './recipients.ts'
import { thirdPartyRefused } from './refusals.ts'
import { addWaitingSideMessage } from './waiting-side-messages.ts'
import { sendSideMessage, sideEmail, writeSideMessage } from './write-side-message.ts'

export interface Forwarding extends GivenForwarding {
  message: string
  format: Format | undefined
  uploads: StagedFile[]
  /** The id that the message gets, if it has waited under it; its files are stored already. */
  promisedId?: number
}

interface By {
  actor: StaffActor
  caller: Origin
  ref: TicketRef
}

/**
 * Begins a side conversation with a third party: sends them a message, with chosen messages and files of the ticket. Clients never see any of it; the
 * ticket itself stays as it is. Throws `TicketNotFound`, `TicketMerged`, and `ThirdPartyRefused` for recipients, messages and files that cannot be used.
 */
export async function forwardTicket(
  services: Services,
  { actor, caller, ref }: By,
  given: Forwarding
): Promise<number> {
  const html = await formattedHtml(given.format, given.message, given.uploads)
  const hasWaited = given.promisedId !== undefined
  const written = await actWithFiles(services, { actor, caller }, hasWaited ? [] : given.uploads, async act => {
    const { db, now } = act
    const ticket = hasWaited
      ? await lockedForReply(db, actor, ref, undefined)
      : await lockedUnmerged(db, actor, deskVisibility(actor), ref, undefined)
    const { recipients, forwarded, files } = await checked({ ...services, db }, ticket.id, given)
    const [conversation] = await insertConversation(db, {
      ticket: ticket.id,
      subject: given.subject,
      thread: randomBytes(12).toString('base64url'),
      waits: given.waits,
      staff: actor.id,
      messages: given.messageIds,
      now
    })
    await addParticipants(db, conversation!.id, recipients, now)
    const message = await writeSideMessage(act, {
      promisedId: given.promisedId,
      conversationId: conversation!.id,
      staffId: actor.id,
      senderName: `${actor.firstName} ${actor.lastName}`,
      senderEmail: null,
      message: given.message,
      html,
      forwarded,
      forwardedFiles: files.map(({ id }) => id),
      uploads: given.uploads,
      scanState: services.scanner ? 'pending' : 'clean'
    })
    await sendSideMessage(services, db, {
      actor,
      ticket,
      conversation: conversation!,
      recipients: await participantsOf(db, { conversation: conversation!.id }),
      message: { id: message.id, text: given.message, html },
      files: [...files, ...message.attachments.map(asClean)],
      thread: forwarded.map(asEarlier),
      isFirst: true,
      requestId: caller.requestId
    })
    act.happened({
      kind: 'conversation.started',
      ticket: ticket.id,
      after: { conversation_id: conversation!.id, side_message_id: message.id, message_ids: given.messageIds }
    })
    return { id: conversation!.id, attachments: message.attachments }
  })
  return written.id
}

/**
 * Has what begins a side conversation wait, so that its writer can take it back: until then nothing is changed and nobody else sees anything of it. What
 * it would be refused with now is thrown now.
 */
export async function forwardLater(
  services: Services,
  { actor, caller, ref }: By,
  { message, format, uploads, promisedId: _, ...forwarding }: Forwarding,
  seconds: number
): Promise<{ side_message_id: number; sends_at: Date }> {
  return await actWithFiles(services, { actor, caller }, uploads, async act => {
    const { db, now } = act
    const { id: ticketId } = await lockedUnmerged(db, actor, deskVisibility(actor), ref, undefined)
    await checked({ ...services, db }, ticketId, { ...forwarding, uploads })
    const given = { ticketId, conversationId: null, forwarding, message, format: format ?? null, files: uploads }
    const waiting = await addWaitingSideMessage(db, { ...given, actor, caller, now, seconds })
    return { ...waiting, attachments: [] }
  })
}

/** The e-mail that a third party would get, as it is now; nothing is written. Throws what forwarding throws. */
export async function previewForwarding(
  services: Services,
  { actor, ref }: Pick<By, 'actor' | 'ref'>,
  given: Forwarding
) {
  const { db } = services
  const ticket = await ticketToForward(db, deskVisibility(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  const { recipients, forwarded, files } = await checked(services, ticket.id, given)
  const html = await formattedHtml(given.format, given.message, given.uploads)
  const email = sideEmail({
    actor,
    conversation: given,
    message: { text: given.message, html },
    files,
    thread: forwarded.map(asEarlier),
    isFirst: true
  })
  const sender = await ticketSender(services, ticket)
  return {
    ...(await previewOfEmail(services, email.email)),
    from: sender?.from.address ?? mailboxesIn(services.config.MAIL_FROM)[0]?.email ?? services.config.MAIL_FROM,
    to: recipients.filter(({ role }) => role === 'to').map(({ email }) => email),
    cc: recipients.filter(({ role }) => role === 'cc').map(({ email }) => email),
    attachments: files.map(({ name, sizeBytes }) => ({ file_name: name, file_size: sizeBytes }))
  }
}

const ticketToForward = visibleTicketQuery((tickets, _p: object) =>
  tickets.select(['tickets.id', 'tickets.department_id'])
)

/** To whom it goes and what goes along. Throws `ThirdPartyRefused` for what cannot be used. */
async function checked(
  services: Services,
  ticket: number,
  given: Pick<Forwarding, 'to' | 'cc' | 'messageIds' | 'attachmentIds' | 'uploads' | 'hidesClient'>
) {
  const { db } = services
  return {
    recipients: await requireThirdParties(services, ticket, given),
    forwarded: await chosenMessages(db, ticket, given),
    files: await chosenFiles(services, db, ticket, given)
  }
}

function asEarlier({ by, text, at }: ForwardedMessage): EarlierMessage {
  return { by, text, at: new Date(at) }
}

/** A new file goes along if it turns out to be clean when its e-mail is sent; until then the e-mail waits. */
export function asClean(file: FileOfMessage): FileOfMessage {
  return { ...file, scanState: 'clean' }
}

/** To whom the e-mails of a conversation go. */
export const participantsOf = prepared((db: Db, p: { conversation: number }) =>
  db
    .selectFrom('side_participants')
    .where('conversation_id', '=', p.conversation)
    .select(['email', 'role'])
    .orderBy('id')
)

/** Adds people to a conversation; whoever is in it already stays as they are. */
export async function addParticipants(
  db: Db,
  conversation: number,
  people: readonly { email: string; name: string; role: Recipient['role'] | 'new' }[],
  now: Date
): Promise<void> {
  for (const { email, name, role } of people)
    await insertParticipant(db, { conversation, email, name: name.slice(0, 255), role, now })
}

const insertParticipant = prepared(
  (db: Db, p: { conversation: number; email: string; name: string; role: 'to' | 'cc' | 'new'; now: Date }) =>
    db
      .insertInto('side_participants')
      .values({ conversation_id: p.conversation, email: p.email, name: p.name, role: p.role, created_at: p.now })
      .onConflict(conflict => conflict.doNothing())
)

/** The messages that go along, as the third party reads them. Notes cannot be chosen: they have ids of their own. */
async function chosenMessages(
  db: Db,
  ticket: number,
  { messageIds, hidesClient }: Pick<Forwarding, 'messageIds' | 'hidesClient'>
): Promise<ForwardedMessage[]> {
  if (messageIds.length === 0) return []
  const found = await messagesAmong(db, { ticket, ids: messageIds })
  if (found.length !== new Set(messageIds).size) {
    throw thirdPartyRefused('other_messages', 'message_ids')
  }
  return found.map(({ id, sender_type, name, message, created_at }) => {
    const isClient = sender_type === 'client'
    const by = isClient && hidesClient ? 'Client' : name
    return { message_id: id, by, is_client: isClient, text: message, at: created_at.toISOString() }
  })
}

const messagesAmong = prepared((db: Db, p: { ticket: number; ids: readonly number[] }) =>
  db
    .selectFrom('ticket_messages')
    .where('ticket_id', '=', partsOf(p.ticket))
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'sender_type', 'message', 'created_at'])
    .select(sql<string>`sender_first_name || ' ' || sender_last_name`.as('name'))
    .orderBy('created_at')
    .orderBy('id')
)

/** The files that go along: of messages of the ticket, clean, and together no larger than an e-mail may be. */
async function chosenFiles(
  services: Services,
  db: Db,
  ticket: number,
  { attachmentIds, uploads }: Pick<Forwarding, 'attachmentIds' | 'uploads'>
): Promise<FileOfMessage[]> {
  const found = attachmentIds.length > 0 ? await filesAmong(db, { ticket, ids: attachmentIds }) : []
  if (found.length !== new Set(attachmentIds).size) {
    throw thirdPartyRefused('other_files', 'attachment_ids')
  }
  const unclean = found.find(({ scanState }) => scanState !== 'clean')
  if (unclean) {
    const code = unclean.scanState === 'infected' ? 'file_infected' : 'file_unchecked'
    throw thirdPartyRefused(code, 'attachment_ids', unclean.name)
  }
  requireFilesToSend(services, [...found, ...uploads.map(({ fileSizeBytes: sizeBytes }) => ({ sizeBytes }))])
  return found
}

/** Throws `ThirdPartyRefused` for files that are too large for one e-mail: a third party has no other way to them. */
export function requireFilesToSend(
  { config }: Pick<Services, 'config'>,
  files: readonly { sizeBytes: number }[]
): void {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes <= config.MAIL_ATTACH_MAX_BYTES) return
  throw thirdPartyRefused('files_too_large', 'attachment_ids', readableSize(config.MAIL_ATTACH_MAX_BYTES))
}

const filesAmong = prepared((db: Db, p: { ticket: number; ids: readonly number[] }) =>
  db
    .selectFrom('ticket_attachments')
    .where('ticket_id', '=', partsOf(p.ticket))
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'file_name as name', 'file_size as sizeBytes', 'scan_state as scanState', 'file_path as path'])
    .$castTo<FileOfMessage>()
    .orderBy('id')
)

interface NewConversation {
  ticket: number
  subject: string
  thread: string
  waits: boolean
  staff: number
  messages: readonly number[]
  now: Date
}

const insertConversation = prepared((db: Db, p: NewConversation) =>
  db
    .insertInto('side_conversations')
    .values({
      ticket_id: p.ticket,
      subject: p.subject,
      thread_id: p.thread,
      waits: p.waits,
      started_by: p.staff,
      message_ids: p.messages,
      created_at: p.now,
      updated_at: p.now
    })
    .returning(['id', 'subject', 'thread_id'])
)
