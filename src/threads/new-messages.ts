import type { ExpressionBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { type Db, prepared } from '../db.ts'
import type { Tables } from '../tables/tables.ts'
import type { ThreadMessage } from '../tickets/desk-schemas.ts'
import { anyPart } from '../tickets/merged-parts.ts'
import { messagesOnPage, pageViews } from './newest-entries.ts'

/** Whether anybody but this staff member has written in the thread after the message that they saw last. */
export async function hasNewMessages(
  db: Db,
  p: { ticketId: number; lastSeen: number; staffId: number }
): Promise<boolean> {
  const messages = await newMessage(db, p)
  return messages.length > 0
}

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

/** The id of the newest message in a thread. */
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

/** The messages of a thread after that one, in the order in which they were written: the first of them, as many as fit a page. */
export async function threadAfter(db: Db, ticketId: number, lastSeen: number): Promise<Static<typeof ThreadMessage>[]> {
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
