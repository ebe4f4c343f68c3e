import { sql } from 'kysely'
import { type Actor, hasPermission, type NamedActor, type StaffActor, type SystemActor } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { type Format, formattedHtml, withHtml } from '../../core/formatted-text/format.ts'
import type { Recipients } from '../../core/tables/sending.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { Forbidden } from '../../kit/errors.ts'
import { timestamp } from '../../lib/time.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { removeDraft } from '../drafts/drafts.ts'
import { addWaitingReply, isOvertaken, ReplyStopped } from '../drafts/waiting-replies.ts'
import { keepRecipients } from '../followers/recipients.ts'
import { requireFieldsToClose } from '../forms/required-fields.ts'
import { blockOf } from '../links/blocked-tickets.ts'
import { afterWaking } from '../snooze/woken-event.ts'
import { lockedForReply } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { type LockedTicketQuery, locked, permittedTargetQuery, writtenColumns } from '../ticket/ticket-for.ts'
import { actorColumns, eventColumns, facts, kindOf, ofTicket } from '../ticket/timeline.ts'
import {
  actWithFiles,
  type NewMessage,
  newMessage,
  type TicketServices,
  withAndWithoutFiles,
  withMessage,
  writeWithFiles,
  writtenFacts,
  writtenFiles
} from './add-message.ts'
import { type ReadState, requireNothingUnread } from './new-messages.ts'

export interface Reply {
  message: string
  format?: Format | undefined
  files: StagedFile[]
  /** The new status of the ticket, if other than the default for this reply; null: unchanged. Needs `tickets.edit_status`. */
  status?: TicketStatus | null
  /** The author, if the system replies on their behalf. */
  author?: NamedActor
  /** The client's address, if the reply came by e-mail. */
  clientEmail?: string
  /** The id that the message gets, if the reply has waited under it; its files are stored already. */
  promisedId?: number | undefined
  /** Who gets it by e-mail, if its writer has chosen that. */
  recipients?: Recipients | null | undefined
}

const needsEditStatus = 'An answer that gives the ticket another status than Answered needs tickets.edit_status'

/**
 * Adds a message to the thread, whatever the ticket's status. A client's reply sets it to Customer-Reply (contract: Ticket status, second
 * row), a staff member's to Answered (decision 27). Replies to a merged ticket go to its target. With `read`, the actor replies to what
 * they see in the queue, and is refused if others have written since (`NewMessages`), the version differs (`VersionConflict`), or it would close a
 * ticket that is blocked (`TicketBlocked`) or lacks fields that closing needs (`FieldsRequired`). The system
 * replies, on behalf of an author, to any ticket that is not in the trash. Throws `TicketNotFound`, `Forbidden`, `TicketMerged` if the
 * actor does not see the target, and `InvalidFields` for a message id beyond the newest.
 */
export async function replyToTicket(
  services: TicketServices,
  actor: Actor | SystemActor,
  caller: Origin,
  ref: TicketRef,
  { message: text, format, files, author = actor, clientEmail, promisedId, recipients, ...reply }: Reply,
  read?: ReadState
) {
  const usual = author.population === 'client' ? 'Customer-Reply' : 'Answered'
  const { status = usual } = reply
  if (status !== usual && !hasPermission(actor, 'tickets.edit_status'))
    throw Forbidden({ message: needsEditStatus, lacks: ['tickets.edit_status'] })
  const html = await formattedHtml(format, text, files)
  const message = newMessage(services, author, caller, text, files, { clientEmail, html, messageId: promisedId })
  const by = { actor: author, caller }
  if (actor.population === 'client' || (actor.population === 'staff' && !read)) {
    const given = { ...message, status: status ?? usual }
    return withHtml(await writeWithFiles(services, by, files, db => insertReply(db, actor, ref, given)), html)
  }
  const written = await actWithFiles(services, by, promisedId === undefined ? files : [], async act => {
    const { db } = act
    const ticket = await lockedForReply(db, actor, ref, read?.expected_version)
    if (promisedId !== undefined && (await isOvertaken(db, promisedId))) throw ReplyStopped()
    if (read && actor.population === 'staff') await refuseReply(db, actor, ticket.id, status, read)
    const sent = await insertChecked(db, { ...message, status: status ?? ticket.status, id: ticket.id })
    if (read && actor.population === 'staff') await settle(act, actor, sent, recipients)
    return sent
  })
  return withHtml(written, html)
}

/** With a reply of staff its draft ends, and its recipients are kept. */
async function settle(
  act: Act,
  actor: StaffActor,
  { ticket_id: ticket, message_id: message }: { ticket_id: number; message_id: number },
  recipients: Recipients | null | undefined
): Promise<void> {
  await removeDraft(act.db, { ticket, staff: actor.id })
  if (recipients) await keepRecipients(act, ticket, message, recipients)
}

/** A reply of staff that waits for so long, with the macro that is applied with it. */
interface Later {
  seconds: number
  macroId?: number
  /** The kinds of its actions that are left out. */
  macroWithout?: readonly string[]
}

/**
 * Has a reply of staff wait, so that its writer can take it back: until then nothing is changed and nobody else sees anything of it. What the reply itself
 * would be refused with now is thrown now.
 */
export async function replyLater(
  services: TicketServices,
  actor: StaffActor,
  caller: Origin,
  ref: TicketRef,
  {
    message,
    format,
    files,
    recipients,
    status: given
  }: Pick<Reply, 'message' | 'format' | 'files' | 'status' | 'recipients'>,
  read: ReadState,
  { seconds, macroId, macroWithout = [] }: Later
) {
  const status = given ?? 'Answered'
  if (status !== 'Answered' && !hasPermission(actor, 'tickets.edit_status'))
    throw Forbidden({ message: needsEditStatus, lacks: ['tickets.edit_status'] })
  const html = await formattedHtml(format, message, files)
  const waiting = await actWithFiles(services, { actor, caller }, files, async act => {
    const ticket = await lockedForReply(act.db, actor, ref, read.expected_version)
    await refuseReply(act.db, actor, ticket.id, status, read)
    if (status === 'Closed' && ticket.status !== 'Closed' && macroId === undefined)
      await requireFieldsToClose(act.db, ticket.id)
    const { message_id, sends_at } = await addWaitingReply(act.db, {
      ticketId: ticket.id,
      actor,
      caller,
      message,
      format: format ?? null,
      status,
      forceClose: read.force_close === 1,
      macroId: macroId ?? null,
      macroWithout,
      recipients: recipients ?? null,
      files,
      now: act.now,
      seconds
    })
    await removeDraft(act.db, { ticket: ticket.id, staff: actor.id })
    const { id: ticket_id, status: present, version } = ticket
    return {
      message_id,
      ticket_id,
      message,
      status: present,
      version,
      attachments: [],
      undo_until: timestamp(sends_at)
    }
  })
  return withHtml(waiting, html)
}

/** Throws what a reply of staff to what they see in the queue is refused with: `NewMessages`, `TicketBlocked`. */
async function refuseReply(
  db: Db,
  actor: StaffActor,
  ticket: number,
  status: TicketStatus | null,
  read: ReadState
): Promise<void> {
  await requireNothingUnread(db, actor, ticket, read)
  const refusal = status === 'Closed' && !read.force_close && (await blockOf(db, actor, ticket))
  if (refusal) throw refusal
}

/** The same reply of staff in the queue within a larger write, whose transaction has locked the ticket. Its files are kept by `actWithFiles`. */
export async function replyLocked(
  services: TicketServices,
  act: Act,
  { actor, caller, ticket }: { actor: StaffActor; caller: Origin; ticket: number },
  {
    message: text,
    format,
    files,
    promisedId,
    recipients,
    status = 'Answered'
  }: Pick<Reply, 'message' | 'format' | 'files' | 'promisedId' | 'recipients'> & { status?: TicketStatus },
  read: ReadState
) {
  if (status !== 'Answered' && !hasPermission(actor, 'tickets.edit_status'))
    throw Forbidden({ message: needsEditStatus, lacks: ['tickets.edit_status'] })
  if (promisedId !== undefined && (await isOvertaken(act.db, promisedId))) throw ReplyStopped()
  await refuseReply(act.db, actor, ticket, status, read)
  const html = await formattedHtml(format, text, files)
  const message = newMessage(services, actor, caller, text, files, { cause: act.cause, messageId: promisedId, html })
  const sent = await insertChecked(act.db, { ...message, status, id: ticket, now: act.now })
  // Undefined: many tickets are answered at once, and drafts in them are of something else.
  if (recipients !== undefined) await settle(act, actor, sent, recipients)
  return sent
}

/** F2: a reply that closes a ticket is refused without the fields that closing needs. */
async function insertChecked(db: Db, given: Parameters & { id: number }) {
  const [reply] = await insertReplyTo(db, given)
  if (given.status === 'Closed' && reply!.former_status !== 'Closed') await requireFieldsToClose(db, given.id)
  return reply!
}

type Parameters = NewMessage & { status: TicketStatus }

const insertReply = withAndWithoutFiles(has =>
  permittedTargetQuery({ permission: 'tickets.reply' }, (ticket, p: Parameters, db) => replyTo(db, ticket, p, has))
)

/** Adds a message to the ticket with this id, which the transaction has locked. */
const insertReplyTo = withAndWithoutFiles(has =>
  prepared((db, p: Parameters & { id: number }) => replyTo(db, locked(db).where('locked.id', '=', p.id), p, has))
)

function replyTo(db: Db, ticket: LockedTicketQuery, p: Parameters, has: { hasFiles: boolean; hasId: boolean }) {
  // The row itself is incremented, so that concurrent replies do not lose counts.
  const withTicket = db
    .with('former', () => ticket)
    .with('ticket', db =>
      db
        .updateTable('tickets')
        .from('former')
        .whereRef('tickets.id', '=', 'former.id')
        .set(eb => ({
          message_count: eb('tickets.message_count', '+', 1),
          attachment_count: eb('tickets.attachment_count', '+', p.fileCount),
          status: p.status,
          updated_at: p.now,
          ...unansweredAfter(p)
        }))
        .returning(writtenColumns)
        .returning('former.status as former_status')
    )
  return (
    withMessage(withTicket, p, has)
      .with('event', db =>
        db
          .insertInto('events')
          .columns(eventColumns)
          .expression(db =>
            afterWaking(
              p,
              {
                if: sql`(${p.senderType}::text = 'client' or ticket.status = 'Closed')`,
                cause: sql`case ${p.senderType}::text when 'client' then 'client' else 'closed' end`
              },
              db
                .selectFrom(['ticket', 'message'])
                .select(eb => [
                  ...ofTicket,
                  kindOf('ticket.replied'),
                  facts({ status: eb.ref('ticket.former_status') }).as('before'),
                  facts({ status: eb.ref('ticket.status'), ...writtenFacts(p) }).as('after')
                ])
                .select(actorColumns(p))
            )
          )
      )
      // One row of each.
      .selectFrom(['ticket', 'message'])
      .select(['message.id as message_id', 'message.ticket_id', 'message.message', 'ticket.status', 'ticket.version'])
      .select(eb => eb.ref('ticket.former_status').$notNull().as('former_status'))
      .select(writtenFiles(has).as('attachments'))
  )
}

/**
 * Since when the client has been waiting, after one more message (`src/tickets/ticket/unanswered.ts`). An answer resets it; a client's message
 * leaves an unknown value unknown.
 */
function unansweredAfter({ senderType, now }: Pick<NewMessage, 'senderType' | 'now'>) {
  const isAnswer = sql`${senderType}::text <> 'client'`
  return {
    unanswered_since: sql<Date | null>`case when ${isAnswer} then null
      when tickets.unanswered_of = tickets.message_count then coalesce(tickets.unanswered_since, ${now}::timestamptz)
      else tickets.unanswered_since end`,
    unanswered_of: sql<number | null>`case when ${isAnswer} or tickets.unanswered_of = tickets.message_count
      then tickets.message_count + 1 else tickets.unanswered_of end`
  }
}
