import { Type } from 'typebox'
import { holds, type StaffActor } from '../actor.ts'
import type { Origin } from '../audit/audit-actor.ts'
import type { Db } from '../db.ts'
import { Forbidden, failure, InvalidFields } from '../kit/errors.ts'
import type { StagedFile } from '../platform/files/file-store.ts'
import type { TicketStatus } from '../tables/tickets.ts'
import { ThreadMessage } from '../tickets/desk-schemas.ts'
import { lockedForAnswer } from '../tickets/locked-ticket.ts'
import type { TicketRef } from '../tickets/schemas.ts'
import { actWithFiles, newMessage, type TicketServices } from './add-message.ts'
import { hasNewMessages, newestMessage, threadAfter } from './new-messages.ts'
import { insertReplyTo } from './reply-to-ticket.ts'

export const NewMessages = failure(
  409,
  'new_messages',
  'There are new messages that you have not seen',
  Type.Object({ messages: Type.Array(ThreadMessage), last_message_id: Type.Integer({ minimum: 1, examples: [12] }) })
)

export interface Answer {
  message: string
  status: TicketStatus
  expectedVersion: number | undefined
  /** The last message that its writer has read. */
  lastSeenMessageId: number | undefined
  /** Answers whatever was written since. */
  force: boolean
}

const needsEditStatus = 'An answer that gives the ticket another status than Answered needs tickets.edit_status'

/** The status that an answer gives a ticket unless it says another. */
export const answered: TicketStatus = 'Answered'

/**
 * A staff member's answer in the thread. Any status but `answered` needs `tickets.edit_status` (`Forbidden`). Whoever has not read
 * what others wrote since is stopped with it in hand: `NewMessages`. What was merged into another ticket is answered there. Throws
 * `TicketNotFound`, `VersionConflict`, `InvalidFields` for a message that is not written yet, and `TicketMerged` to whoever does
 * not see that one.
 */
export async function answerTicket(
  services: TicketServices,
  actor: StaffActor,
  caller: Origin,
  ref: TicketRef,
  { message: text, status, expectedVersion, lastSeenMessageId, force }: Answer,
  uploads: StagedFile[]
) {
  if (status !== answered && !holds(actor, 'tickets.edit_status')) throw Forbidden({ message: needsEditStatus })
  const message = newMessage(services, actor, caller, text, uploads)
  return await actWithFiles(services, { actor, caller }, uploads, async ({ db }) => {
    const ticket = await lockedForAnswer(db, actor, ref, expectedVersion)
    if (lastSeenMessageId !== undefined) {
      await refuseUnwritten(db, ticket.id, lastSeenMessageId)
      if (!force) await refuseUnseenMessages(db, actor, ticket.id, lastSeenMessageId)
    }
    const [reply] = await insertReplyTo(db, { ...message, status, id: ticket.id })
    return reply!
  })
}

/** Nobody has seen what is not written yet: the number is of another ticket, or made up, and would stop nothing. */
async function refuseUnwritten(db: Db, ticketId: number, lastSeen: number): Promise<void> {
  if (lastSeen <= (await newestMessage(db, ticketId))) return
  const name = 'last_seen_message_id'
  throw InvalidFields({ message: `${name} is beyond the newest message of this ticket`, errors: [name] })
}

async function refuseUnseenMessages(
  db: Db,
  { id: staffId }: StaffActor,
  ticketId: number,
  lastSeen: number
): Promise<void> {
  if (!(await hasNewMessages(db, { ticketId, lastSeen, staffId }))) return
  const messages = await threadAfter(db, ticketId, lastSeen)
  const last_message_id = Math.max(...messages.map(({ id }) => id))
  throw NewMessages({ errors: ['last_seen_message_id'], data: { messages, last_message_id } })
}
