import type { SelectQueryBuilder } from 'kysely'
import { type Static, Type } from 'typebox'
import { Flag, Id, Nullable, OneOf, Shown, Timestamp } from '../kit/schemas.ts'
import { timestamp } from '../lib/time.ts'
import type { Tables } from '../tables/tables.ts'
import { QueueTicket } from '../tickets/desk-schemas.ts'
import { type QueueRow, queueRows, queueTicketView } from '../tickets/ticket-row.ts'
import { unansweredSince } from '../tickets/unanswered.ts'
import { isUnread, type LastMessage, lastMessage } from './thread-state.ts'

/** A ticket in the list, with the state of its thread. */
export const ListedTicket = Type.Object({
  ...QueueTicket.properties,
  snippet: Nullable(
    Type.String({
      description: 'How the last message begins that the client may read, on one line of at most 160 characters.',
      examples: ['It started this morning, and now the curtains burn as well.']
    })
  ),
  last_message_by: Nullable(
    Type.Object({ type: OneOf(['client', 'staff']), id: Nullable(Id()), name: Shown('Ada Lovelace') })
  ),
  waiting_since: Nullable(Timestamp()),
  unread: Flag()
})

const snippetCharacters = 160

export type ListedRow = QueueRow & LastMessage & { waiting_since: Date | null; unread: 0 | 1 }

/** The rows of a query on `tickets`, as this member of staff has read them. */
export function listedRows(tickets: SelectQueryBuilder<Tables, 'tickets', object>, staff: number) {
  return queueRows(tickets)
    .leftJoinLateral(lastMessage.as('last'), join => join.onTrue())
    .select(['last.last_sender', 'last.last_sender_id', 'last.last_sender_name', 'last.last_text'])
    .select([unansweredSince.as('waiting_since'), isUnread(staff).as('unread')])
}

export function listedTicketView({
  last_sender: type,
  last_sender_id: id,
  last_sender_name: name,
  last_text: text,
  waiting_since,
  unread,
  ...row
}: ListedRow): Static<typeof ListedTicket> {
  return {
    ...queueTicketView(row),
    snippet: text && snippetOf(text),
    last_message_by: type && { type, id, name: name! },
    waiting_since: waiting_since && timestamp(waiting_since),
    unread
  }
}

function snippetOf(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return [...line].slice(0, snippetCharacters).join('').trimEnd()
}
