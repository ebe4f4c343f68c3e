import type { SelectQueryBuilder } from 'kysely'
import { type Static, Type } from 'typebox'
import { Flag, Id, Nullable, OneOf, Shown, Timestamp } from '../kit/schemas.ts'
import { timestamp } from '../lib/time.ts'
import type { Tables } from '../tables/tables.ts'
import { QueueTicket } from '../tickets/desk-schemas.ts'
import { type QueueRow, queueRows, queueTicketView } from '../tickets/ticket-row.ts'
import { isUnreadBehind, type LastMessage, lastOfThread, lastSenderName, waitingSince } from './thread-state.ts'

/** A ticket in the list, with the state of its thread. */
export const ListedTicket = Type.Object({
  ...QueueTicket.properties,
  snippet: Nullable(
    Type.String({
      description: 'The beginning of the last message visible to the client, on one line of at most 160 characters.',
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
    .leftJoinLateral(lastOfThread.as('last'), join => join.onTrue())
    .select([
      'last.sender_type as last_sender_type',
      'last.client_id as last_client_id',
      'last.staff_id as last_staff_id',
      'last.beginning as last_text'
    ])
    .select([
      lastSenderName.as('last_sender_name'),
      waitingSince.as('waiting_since'),
      isUnreadBehind(staff).as('unread')
    ])
}

export function listedTicketView(row: ListedRow): Static<typeof ListedTicket> {
  return {
    ...queueTicketView(row),
    snippet: row.last_text && snippetOf(row.last_text),
    last_message_by: lastSender(row),
    waiting_since: row.waiting_since && timestamp(row.waiting_since),
    unread: row.unread
  }
}

function lastSender(row: LastMessage) {
  if (row.last_sender_type === null) return null
  const type = row.last_sender_type === 'client' ? ('client' as const) : ('staff' as const)
  return { type, id: row.last_client_id ?? row.last_staff_id, name: row.last_sender_name! }
}

/** What one space takes the place of, so that a usual text, with one between two words, is left as it is. */
const gaps = /[\s\p{Cc}]{2,}|[^\S ]|\p{Cc}/gu

function snippetOf(text: string): string {
  return beginningOf(text.replaceAll(gaps, ' ').trim(), snippetCharacters).trimEnd()
}

/** So many characters, of which none is cut in half. */
function beginningOf(text: string, characters: number): string {
  let end = 0
  for (let taken = 0; taken < characters && end < text.length; taken++) end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return text.slice(0, end)
}
