import { type SelectQueryBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../kit/schemas.ts'
import { timestamp } from '../lib/time.ts'
import type { Tables } from '../tables/tables.ts'
import { QueueTicket } from '../tickets/desk-schemas.ts'
import { type PeopledRow, peopledRows, peopledTicketView } from '../tickets/ticket-row.ts'
import { isUnreadBehind, type LastMessage, lastOfThread, otherSenderName, waitingSince } from './thread-state.ts'

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
    Type.Object({ type: OneOf(['client', 'staff']), id: Nullable(Id()), name: OutputText('Ada Lovelace') })
  ),
  waiting_since: Nullable(Timestamp()),
  unread: Flag()
})

const snippetCharacters = 160

export type ListedRow = PeopledRow & LastMessage & { waiting_since: Date | null; unread: 0 | 1 }

/** A tag of one of the tickets of a page. */
export interface PageTag {
  ticket_id: number
  id: number
  name: string
  color: string
}

/** The tags of all tickets in `page`, cheaper than one query per ticket; null if there are none. */
export const tagsOfPage = sql<PageTag[] | null>`(
  select json_agg(json_build_object('ticket_id', ticket_tags.ticket_id, 'id', tags.id, 'name', tags.name, 'color', tags.color)
    order by lower(tags.name))
  from page as tagged inner join ticket_tags on ticket_tags.ticket_id = tagged.id inner join tags on tags.id = ticket_tags.tag_id)`

/** The rows of a query on `tickets`, with what this staff member has read of them. */
export function listedRows(tickets: SelectQueryBuilder<Tables, 'tickets', object>, staff: number) {
  return peopledRows(tickets)
    .leftJoinLateral(lastOfThread.as('last'), join => join.onTrue())
    .select([
      'last.sender_type as last_sender_type',
      'last.client_id as last_client_id',
      'last.staff_id as last_staff_id',
      'last.beginning as last_text'
    ])
    .select([
      otherSenderName.as('other_sender_name'),
      waitingSince.as('waiting_since'),
      isUnreadBehind(staff).as('unread')
    ])
}

export function listedTicketView(row: ListedRow, tags: PageTag[]): Static<typeof ListedTicket> {
  return {
    ...peopledTicketView(row, tags),
    snippet: row.last_text && snippetOf(row.last_text),
    last_message_by: lastSender(row),
    waiting_since: row.waiting_since && timestamp(row.waiting_since),
    unread: row.unread
  }
}

function lastSender(row: ListedRow) {
  if (row.last_sender_type === null) return null
  const type = row.last_sender_type === 'client' ? ('client' as const) : ('staff' as const)
  return { type, id: row.last_client_id ?? row.last_staff_id, name: row.other_sender_name ?? nameBeside(row) }
}

function nameBeside(row: ListedRow): string {
  return row.last_client_id === null
    ? `${row.assignee_first_name} ${row.assignee_last_name}`
    : `${row.client_first_name} ${row.client_last_name}`
}

const nearlyAlwaysEnough = snippetCharacters + 40

function snippetOf(text: string): string {
  const beginning = onOneLine(text.slice(0, nearlyAlwaysEnough))
  const end = endOfSnippet(beginning)
  if (end < beginning.length) return beginning.slice(0, end).trimEnd()
  const line = onOneLine(text)
  return line.slice(0, endOfSnippet(line)).trimEnd()
}

/** Whitespace to be replaced by one space; plain text with single spaces matches nothing, and is left as it is. */
const gaps = /[\s\p{Cc}]{2,}|[^\S ]|\p{Cc}/gu

function onOneLine(text: string): string {
  return text.replaceAll(gaps, ' ').trim()
}

/** The end of the snippet in a line: surrogate pairs are not split. */
function endOfSnippet(line: string): number {
  let end = 0
  for (let taken = 0; taken < snippetCharacters && end < line.length; taken++) {
    end += line.codePointAt(end)! > 0xffff ? 2 : 1
  }
  return end
}
