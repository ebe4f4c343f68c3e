import type { StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { afterRollback } from '../../platform/db/outer-transaction.ts'
import {
  AlreadySent,
  isOwnReply,
  ownWaitingReplies,
  ReplyStopped,
  undoReply,
  waitingReplyView
} from '../drafts/waiting-replies.ts'
import type { MacroServices } from '../macros/apply-macro.ts'
import { replyTarget } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { readerVisibility } from '../ticket/visibility.ts'
import { sendWaitingReply, stopWaitingReply } from './send-waiting.ts'

export const ReplyNotFound = failure(404, 'reply_not_found', 'There is no such reply of yours in this ticket')

/** A reply of the caller in a ticket. */
interface OwnReply {
  ref: TicketRef
  messageId: number
}

/**
 * Takes a reply back that waits, or that was stopped: it is not sent, and its writer gets it as it was. Doing so again answers the same. Throws
 * `TicketNotFound`, `ReplyNotFound`, and `AlreadySent` from the end of its time on.
 */
export async function undoOwnReply(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: StaffActor,
  { ref, messageId }: OwnReply
) {
  const ticket = await ticketOf(db, actor, { ref, messageId })
  const undone = await undoReply(db, { messageId, ticket, staff: actor.id, now: clock.now() })
  if (!undone) throw AlreadySent()
  return waitingReplyView(undone)
}

/** Sends a reply that waits before its time. Throws `TicketNotFound`, `ReplyNotFound`, `AlreadySent`, `ReplyStopped`. */
export async function sendOwnReply(
  services: MacroServices & Pick<Services, 'log'>,
  actor: StaffActor,
  { ref, messageId }: OwnReply
) {
  const ticket = await ticketOf(services.db, actor, { ref, messageId })
  const now = services.clock.now()
  const sent = await sendWaitingReply(services, { messageId, now, staff: actor.id })
  if (sent) return sent
  const left = (await ownWaitingReplies(services.db, { ticket, staff: actor.id })).find(
    reply => reply.message_id === messageId
  )
  if (!left) throw AlreadySent()
  const reason = left.stopped_reason ?? ReplyStopped.text
  // A request with an idempotency key undoes all that it did when it fails.
  afterRollback(services.db, db => stopWaitingReply(db as Db, { messageId, reason, now }))
  throw ReplyStopped({ message: reason })
}

/** The ticket where the reply goes. Throws `TicketNotFound`, `ReplyNotFound`. */
async function ticketOf(db: Db, actor: StaffActor, { ref, messageId }: OwnReply): Promise<number> {
  const ticket = await replyTarget(db, readerVisibility(actor), ref)
  if (!ticket) throw TicketNotFound()
  const [found] = await isOwnReply(db, { messageId, ticket: ticket.id, staff: actor.id })
  if (!found) throw ReplyNotFound()
  return ticket.id
}
