import type { StaffActor } from '../../core/actor.ts'
import { type DueWork, dueBatch } from '../../core/clock/due-work.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { staffActorWithId } from '../../core/sessions/session-of.ts'
import { Failure, Forbidden } from '../../kit/errors.ts'
import { inOneTransaction } from '../../platform/db/outer-transaction.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import type { ActionKind } from '../actions/action-values.ts'
import { restoreDraft } from '../drafts/drafts.ts'
import {
  claimReply,
  dueReplies,
  nextReplyAt,
  removeWaitingReply,
  type StoppedReply,
  stopReply,
  type WaitingReply
} from '../drafts/waiting-replies.ts'
import { addressOfClient } from '../followers/recipients.ts'
import { applyMacro, type MacroServices } from '../macros/apply-macro.ts'
import { replyToTicket } from '../threads/reply-to-ticket.ts'

type SendingServices = MacroServices & Pick<Services, 'log'>

/** Replies whose time to be taken back is over go, each once, whichever process gets there first. */
export function dueWaitingReplies(services: SendingServices): DueWork {
  return {
    name: 'waiting replies',
    nextDueAt: () => nextReplyAt(services.db),
    runDue: now => sendDueReplies(services, now)
  }
}

/** Sends what is due, and returns how many replies went or were stopped. Throws `AggregateError` at the end for those that are tried again. */
export async function sendDueReplies(services: SendingServices, now: Date): Promise<number> {
  const due = await dueReplies(services.db, { now, limit: dueBatch })
  const faults: unknown[] = []
  let settled = 0
  for (const { message_id: messageId } of due) {
    try {
      await sendWaitingReply(services, { messageId, now })
      settled++
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Some replies that have waited could not be sent yet')
  return settled
}

/**
 * Sends a reply that waits, as its writer would at this moment: with their permissions of now. What refuses it stops it, and its writer gets it back.
 * Before its time only its writer, `staff`, has it sent. Returns undefined if it does not wait any more, or was stopped.
 */
export async function sendWaitingReply(
  services: SendingServices,
  { messageId, now, staff = null }: { messageId: number; now: Date; staff?: number | null }
) {
  return await inOneTransaction(services.db, async db => {
    const reply = await claimReply(db, { messageId, now, staff })
    if (!reply) return undefined
    try {
      const sent = await send({ ...services, db }, reply)
      await removeWaitingReply(db, { messageId })
      return sent
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      await stopAndGiveBack(db, { messageId, reason: error.message, now })
      return undefined
    }
  })
}

/** The reply does not go: it waits no more, and what was written is a draft again. */
export async function stopWaitingReply(
  db: Db,
  stopped: { messageId: number; reason: string; now: Date }
): Promise<void> {
  await inOneTransaction(db, db => stopAndGiveBack(db, stopped))
}

async function stopAndGiveBack(
  db: Db,
  { messageId, reason, now }: { messageId: number; reason: string; now: Date }
): Promise<void> {
  const [stopped] = await stopReply(db, { messageId, reason: reason.slice(0, 500) })
  if (stopped) await giveBack(db, stopped, now)
}

/** What was written is a draft again, wherever its writer goes on. */
async function giveBack(
  db: Db,
  { ticket_id: ticket, staff_id: staff, ...reply }: StoppedReply,
  now: Date
): Promise<void> {
  const {
    client,
    signature: _,
    to: others,
    ...addresses
  } = reply.recipients ?? { client: true, to: [], signature: 'both' }
  const clientAddress = client && others.length > 0 ? await addressOfClient(db, ticket) : null
  const to = client && others.length === 0 ? null : [...(clientAddress === null ? [] : [clientAddress]), ...others]
  const recipients = { ...addresses, to, format: reply.format ?? 'plain' }
  await restoreDraft(db, { ticket, staff, message: reply.message, recipients }, now)
}

async function send(services: SendingServices, reply: WaitingReply) {
  const { message_id: promisedId, ticket_id: ref, message, status } = reply
  const actor = await writerOf(services.db, reply)
  const caller = { ip: reply.ip_address, requestId: reply.request_id }
  // What the writer had seen of the ticket was asked when they sent it.
  const read = { force: 1, force_close: reply.force_close ? 1 : 0 } as const
  const files = reply.files as StagedFile[]
  const { recipients } = reply
  if (reply.macro_id === null)
    return await replyToTicket(
      services,
      actor,
      caller,
      ref,
      { message, format: reply.format ?? undefined, status, files, promisedId, recipients },
      read
    )
  const without = reply.macro_without as ActionKind[]
  const use = { actor, caller, ref, macroId: reply.macro_id, without }
  const { id, message_id, version, ...sent } = await applyMacro(services, use, {
    status,
    reply: message,
    format: reply.format ?? undefined,
    files,
    promisedId,
    recipients,
    read
  })
  return {
    ticket_id: id,
    message_id: message_id!,
    message,
    version,
    status: sent.status,
    attachments: sent.attachments
  }
}

/** Throws `Forbidden` for a writer who may not reply any more. */
async function writerOf(db: Db, { staff_id }: WaitingReply): Promise<StaffActor> {
  const actor = await staffActorWithId(db, staff_id)
  if (actor && (actor.role === 'admin' || actor.permissions.includes('tickets.reply'))) return actor
  throw Forbidden({ message: 'Its writer may not reply any more' })
}
