import { type SelectQueryBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import { QueueTicket } from '../ticket/desk-schemas.ts'
import { rowsWithPeople, type TicketWithPeople, ticketWithPeopleView } from '../ticket/ticket-row.ts'
import {
  isTicketUnread,
  isToldByTicket,
  isUnread,
  type LastMessage,
  lastOfThread,
  lastOfTicket,
  otherSenderName,
  waitingByRow,
  waitingSince
} from './thread-state.ts'

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

type ThreadState = LastMessage & { waiting_since: Date | null; unread: 0 | 1 }

export type ListedRow = TicketWithPeople & ThreadState

/** A tag of one of the tickets of a page. */
export interface PageTag {
  ticket_id: number
  id: number
  name: string
  color: string
}

/** The tags of all tickets in `page`, cheaper than one query per ticket; null if there are none. */
export const tagsOfPage = sql<PageTag[] | null>`(
  select json_agg(tag) from (
    select ticket_tags.ticket_id, tags.id, tags.name, tags.color
    from ticket_tags inner join tags on tags.id = ticket_tags.tag_id
    where ticket_tags.ticket_id = any(array(select id from page)) order by lower(tags.name)) as tag)`

const lastColumns = [
  'last.sender_type as last_sender_type',
  'last.client_id as last_client_id',
  'last.staff_id as last_staff_id',
  'last.beginning as last_text'
] as const

/**
 * The rows of a query on `tickets` that begins with `page`, with what this staff member has read of them. The state of the thread is that of
 * the ticket alone, which may not be all: see `withThreads`.
 */
export function listedRows(tickets: SelectQueryBuilder<Tables, 'tickets', object>, staff: number) {
  return rowsWithPeople(tickets)
    .leftJoin('ticket_reads as mark', join =>
      join.onRef('mark.ticket_id', '=', 'tickets.id').on('mark.staff_id', '=', staff)
    )
    .leftJoinLateral(lastOfTicket.as('last'), join => join.onTrue())
    .select(lastColumns)
    .select([
      otherSenderName.as('other_sender_name'),
      waitingByRow.as('waiting_since'),
      isTicketUnread(staff).as('unread'),
      isToldByTicket.as('is_told_by_ticket')
    ])
}

/** The same rows with the state of the whole thread: few need another statement, after a merge for instance, and most pages none. */
export async function withThreads<R extends ListedRow & { is_told_by_ticket: boolean }>(
  db: Db,
  rows: R[],
  staff: number
): Promise<R[]> {
  const ids = rows.filter(row => !row.is_told_by_ticket).map(({ id }) => id)
  if (ids.length === 0) return rows
  const states = new Map((await threadStates(db, { ids, staff })).map(({ id, ...state }) => [id, state]))
  return rows.map(row => ({ ...row, ...states.get(row.id) }))
}

const threadStates = prepared((db: Db, p: { ids: number[]; staff: number }) =>
  db
    .selectFrom('tickets')
    .where('tickets.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .leftJoinLateral(lastOfThread.as('last'), join => join.onTrue())
    .select(['tickets.id', ...lastColumns])
    .select([otherSenderName.as('other_sender_name'), waitingSince.as('waiting_since'), isUnread(p.staff).as('unread')])
)

export function listedTicketView(row: ListedRow, tags: PageTag[]): Static<typeof ListedTicket> {
  return {
    ...ticketWithPeopleView(row, tags),
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
