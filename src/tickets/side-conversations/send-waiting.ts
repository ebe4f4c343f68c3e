import type { StaffActor } from '../../core/actor.ts'
import { type DueWork, dueBatch } from '../../core/clock/due-work.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { staffActorWithId } from '../../core/sessions/session-of.ts'
import { Failure, Forbidden, failure } from '../../kit/errors.ts'
import { afterRollback, inOneTransaction } from '../../platform/db/outer-transaction.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { AlreadySent } from '../drafts/waiting-replies.ts'
import { replyTarget } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { readerVisibility } from '../ticket/visibility.ts'
import { forwardTicket } from './forward-ticket.ts'
import { whyStopped } from './refusals.ts'
import { replyToConversation } from './reply-to-conversation.ts'
import {
  claimSideMessage,
  dueSideMessages,
  isOwnSideMessage,
  nextSideMessageAt,
  ownWaitingSideMessages,
  removeWaitingSideMessage,
  stopSideMessage,
  undoSideMessage,
  type WaitingSideMessage,
  waitingSideMessageView
} from './waiting-side-messages.ts'

export const SideMessageNotFound = failure(
  404,
  'side_message_not_found',
  'There is no such message of yours to a third party'
)

export const SideMessageStopped = failure(409, 'side_message_stopped', 'The message did not go')

/** Messages to third parties whose time to be taken back is over go, each once, whichever process gets there first. */
export function dueWaitingSideMessages(services: Services): DueWork {
  return {
    name: 'waiting messages to third parties',
    nextDueAt: () => nextSideMessageAt(services.db),
    runDue: now => sendDueSideMessages(services, now)
  }
}

/** Sends what is due, and returns how many went or were stopped. Throws `AggregateError` at the end for those that are tried again. */
export async function sendDueSideMessages(services: Services, now: Date): Promise<number> {
  const due = await dueSideMessages(services.db, { now, limit: dueBatch })
  const faults: unknown[] = []
  for (const { id } of due) await sendWaiting(services, { id, now, staff: null }).catch(error => faults.push(error))
  if (faults.length > 0) throw new AggregateError(faults, 'Some messages to third parties could not be sent yet')
  return due.length
}

/** A message of the caller in a ticket. */
interface OwnSideMessage {
  ref: TicketRef
  id: number
}

/** Takes a message back that waits, or that was stopped. Throws `TicketNotFound`, `SideMessageNotFound`, and `AlreadySent` from the end of its time on. */
export async function undoOwnSideMessage(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: StaffActor,
  { ref, id }: OwnSideMessage
) {
  const ticket = await ticketOf(db, actor, { ref, id })
  const [undone] = await undoSideMessage(db, { id, ticket, staff: actor.id, now: clock.now() })
  if (!undone) throw AlreadySent()
  return waitingSideMessageView(undone)
}

/** Sends a message that waits before its time; returns its conversation. Throws `TicketNotFound`, `SideMessageNotFound`, `AlreadySent`, `SideMessageStopped`. */
export async function sendOwnSideMessage(
  services: Services,
  actor: StaffActor,
  { ref, id }: OwnSideMessage
): Promise<number> {
  const ticket = await ticketOf(services.db, actor, { ref, id })
  const conversation = await sendWaiting(services, { id, now: services.clock.now(), staff: actor.id })
  if (conversation !== undefined) return conversation
  const left = await ownWaitingSideMessages(services.db, { ticket, staff: actor.id })
  const stopped = left.find(waiting => waiting.side_message_id === id)
  if (!stopped) throw AlreadySent()
  const { stopped_reason: reason, stopped_code: code, stopped_about: about } = stopped
  // A request with an idempotency key undoes all that it did when it fails.
  if (code !== null) afterRollback(services.db, db => stopSideMessage(db as Db, { id, code, about }))
  throw SideMessageStopped(reason ? { message: reason } : {})
}

/** The ticket where it goes. Throws `TicketNotFound`, `SideMessageNotFound`. */
async function ticketOf(db: Db, actor: StaffActor, { ref, id }: OwnSideMessage): Promise<number> {
  const ticket = await replyTarget(db, readerVisibility(actor), ref)
  if (!ticket) throw TicketNotFound()
  const [found] = await isOwnSideMessage(db, { id, ticket: ticket.id, staff: actor.id })
  if (!found) throw SideMessageNotFound()
  return ticket.id
}

/**
 * Sends a message that waits, as its writer would at this moment: with their permissions of now. What refuses it stops it, and its writer gets it back.
 * Returns its conversation; undefined if it does not wait any more, or was stopped.
 */
async function sendWaiting(
  services: Services,
  { id, now, staff }: { id: number; now: Date; staff: number | null }
): Promise<number | undefined> {
  return await inOneTransaction(services.db, async db => {
    const [waiting] = await claimSideMessage(db, { id, now, staff })
    if (!waiting) return undefined
    try {
      const conversation = await send({ ...services, db }, waiting)
      await removeWaitingSideMessage(db, { id })
      return conversation
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      await stopSideMessage(db, { id, ...whyStopped(error) })
      return undefined
    }
  })
}

async function send(services: Services, waiting: WaitingSideMessage): Promise<number> {
  const actor = await staffActorWithId(services.db, waiting.staff_id)
  if (!actor || (actor.role !== 'admin' && !actor.permissions.includes('tickets.reply'))) throw Forbidden()
  const caller = { ip: waiting.ip_address, requestId: waiting.request_id }
  const { message, forwarding, conversation_id: conversation, side_message_id: promisedId } = waiting
  const written = { message, format: waiting.format ?? undefined, uploads: waiting.files as StagedFile[], promisedId }
  if (forwarding)
    return await forwardTicket(services, { actor, caller, ref: waiting.ticket_id }, { ...forwarding, ...written })
  await replyToConversation(services, { actor, caller, id: conversation! }, written)
  return conversation!
}
