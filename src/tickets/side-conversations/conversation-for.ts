import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { type LockedTicket, lockedById } from '../ticket/locked-ticket.ts'
import { deskVisibility, preparedForVisible, readerVisibility, type TicketVisibility } from '../ticket/visibility.ts'
import { ConversationNotFound } from './schemas.ts'

/** The ticket of a side conversation whose ticket, or the one that it was merged into, the actor sees. Throws `ConversationNotFound`. */
export async function requireConversation(db: Db, actor: StaffActor, id: number): Promise<void> {
  if (!(await seen(db, readerVisibility(actor), id))) throw ConversationNotFound()
}

/** The conversation, locked together with its ticket, for a write. Throws `ConversationNotFound`. */
export async function lockedConversation(db: Db, actor: StaffActor, id: number): Promise<LockedConversation> {
  const ticketId = await seen(db, deskVisibility(actor), id)
  const locked = ticketId && (await lockConversation(db, id, ticketId))
  if (!locked) throw ConversationNotFound()
  return locked
}

/** A conversation, and the ticket that shows it: its own or the one that this was merged into. */
export interface LockedConversation {
  conversation: Awaited<ReturnType<typeof conversationLocked>>[0]
  ticket: LockedTicket
}

/** Locks the ticket first, as every write does, and then the conversation. */
export async function lockConversation(db: Db, id: number, ticketId: number): Promise<LockedConversation | undefined> {
  const ticket = await lockedById(db, ticketId)
  const [conversation] = ticket ? await conversationLocked(db, { id }) : []
  return ticket && conversation && { conversation, ticket }
}

async function seen(db: Db, visibility: TicketVisibility, id: number): Promise<number | undefined> {
  const [found] = await ticketOf(db, visibility, { id })
  return found?.id
}

const ticketOf = preparedForVisible((tickets, p: { id: number }) =>
  tickets
    .innerJoin('tickets as part', join =>
      join.on(({ eb, ref, fn }) => eb(fn.coalesce('part.merged_into_id', 'part.id'), '=', ref('tickets.id')))
    )
    .innerJoin('side_conversations as conversation', 'conversation.ticket_id', 'part.id')
    .where('conversation.id', '=', p.id)
    .select('tickets.id')
    .limit(1)
)

const conversationLocked = prepared((db, p: { id: number }) =>
  db
    .selectFrom('side_conversations')
    .where('id', '=', p.id)
    .select(['id', 'ticket_id', 'subject', 'thread_id', 'waits', 'is_closed', 'is_answered', 'started_by'])
    .forNoKeyUpdate()
)
