import type { ExpressionBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { Flag, Id } from '../../kit/schemas.ts'
import { wasSplitOff } from '../links/split-off.ts'
import { ThreadMessage } from '../ticket/desk-schemas.ts'
import { anyPart } from '../ticket/merged-parts.ts'
import { messagesOnPage, pageViews } from './newest-entries.ts'

export const NewMessages = failure(
  409,
  'new_messages',
  'There are new messages that you have not seen',
  Type.Object({ messages: Type.Array(ThreadMessage), last_message_id: Type.Integer({ minimum: 1, examples: [12] }) })
)

/** What a reply says that its author has seen, and whether it goes all the same. */
export const readFields = {
  last_seen_message_id: Type.Optional(Id(12)),
  force: Type.Optional(Flag(0)),
  force_close: Type.Optional(Flag(0))
}

/** What the author of a reply has seen of the ticket. */
export interface ReadState {
  expected_version?: number
  last_seen_message_id?: number
  /** Replies whatever was written since. */
  force?: 0 | 1
  /** Closes the ticket although another one blocks it. */
  force_close?: 0 | 1
}

/** Throws `NewMessages` with what others have written since, and `InvalidFields` for an id beyond the newest message. */
export async function requireNothingUnread(
  db: Db,
  { id: staffId }: StaffActor,
  ticketId: number,
  { last_seen_message_id: lastSeen, force }: ReadState
): Promise<void> {
  if (lastSeen === undefined) return
  const errors = ['last_seen_message_id']
  // An id beyond the newest message is of another ticket or made up, and would disable the check.
  if (await isBeyond(db, ticketId, lastSeen)) {
    throw InvalidFields({ message: 'last_seen_message_id is beyond the newest message of this ticket', errors })
  }
  if (force || (await newMessage(db, { ticketId, lastSeen, staffId })).length === 0) return
  const messages = await threadAfter(db, ticketId, lastSeen)
  throw NewMessages({ errors, data: { messages, last_message_id: Math.max(...messages.map(({ id }) => id)) } })
}

/** A message by anybody else after the last one that this staff member saw. */
const newMessage = prepared((db, p: { ticketId: number; lastSeen: number; staffId: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('ticket_messages as message', join => join.on('message.ticket_id', '=', anyPart))
    .where('tickets.id', '=', p.ticketId)
    .where('message.id', '>', p.lastSeen)
    .where('message.staff_id', 'is distinct from', p.staffId)
    .select('message.id')
    .limit(1)
)

/** Whether this id is beyond the newest message that the thread has or had: one may have been split off since somebody has read it. */
export async function isBeyond(db: Db, ticketId: number, messageId: number): Promise<boolean> {
  if (messageId <= (await newestMessage(db, ticketId))) return false
  return !(await wasSplitOff(db, ticketId, messageId))
}

/** The id of the newest message in a thread; 0 if there is none. */
export async function newestMessage(db: Db, ticketId: number): Promise<number> {
  const [newest] = await newestOf(db, { ticketId })
  return newest?.id ?? 0
}

const newestOf = prepared((db, p: { ticketId: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('ticket_messages as message', join => join.on('message.ticket_id', '=', anyPart))
    .where('tickets.id', '=', p.ticketId)
    .select(({ fn }) => fn.max('message.id').as('id'))
)

/** The messages of a thread after that one, oldest first, as many as fit a page. */
async function threadAfter(db: Db, ticketId: number, lastSeen: number): Promise<Static<typeof ThreadMessage>[]> {
  const [thread] = await threadBehind(db, { ticketId, lastSeen })
  const { messages, parts } = thread!
  const numbers = new Map(parts.map(part => [part.id, part.ticket_number]))
  return pageViews(messages).map(message => ({ ...message, ticket_number: numbers.get(message.ticket_id)! }))
}

const threadBehind = prepared((db, p: { ticketId: number; lastSeen: number }) =>
  db
    .selectFrom('tickets')
    .where('tickets.id', '=', p.ticketId)
    .select((db: ExpressionBuilder<Tables, 'tickets'>) => [
      messagesOnPage(db, { id: p.lastSeen, after: true }).as('messages'),
      jsonArrayFrom(
        db.selectFrom('tickets as part').where('part.id', '=', anyPart).select(['part.id', 'part.ticket_number'])
      ).as('parts')
    ])
)
