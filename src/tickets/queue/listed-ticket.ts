import { type SelectQueryBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Tables } from '../../core/tables/tables.ts'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import { calendarsRevision, DueClock, type DueClockColumns, dueClockOfTicket, recomputes } from '../sla/shown-clock.ts'
import { type QueueRow, QueueTicket, queueRows, queueTicketView } from '../ticket/queue-ticket.ts'
import { noMarks, type OutgoingMarks } from './outgoing-marks.ts'
import { isUnread, type LastMessage, lastOfThread, otherSenderName, waitingSince } from './thread-state.ts'

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
  woken_at: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'Since when the ticket is back from a snooze whose time has come, until its assignee has read it or, if nobody has it, anybody.',
      examples: ['2026-11-20T08:28:31Z']
    })
  ),
  unread: Flag(),
  sla: Nullable(DueClock),
  // An e-mail with an answer came back, and nobody has answered since or dismissed it.
  undelivered: Flag(0),
  // Somebody has begun a reply.
  has_draft: Flag(0),
  // A third party was asked in a side conversation and has not answered yet.
  side_waiting: Flag(0)
})

const snippetCharacters = 160

type ThreadState = LastMessage & { waiting_since: Date | null; woken_at: Date | null; unread: 0 | 1 }

export type ListedRow = QueueRow & ThreadState & DueClockColumns

/** The rows of a query on `tickets`, with the state of their threads and what this staff member has read of them. */
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
      otherSenderName.as('other_sender_name'),
      waitingSince.as('waiting_since'),
      isUnread(staff, sql.ref('snoozes.woken_at')).as('unread')
    ])
    .select(['snoozes.woken_at', dueClockOfTicket.as('due_clock')])
    .select([calendarsRevision.as('calendars_revision'), recomputes.as('recomputes')])
}

export function listedTicketView(
  row: ListedRow,
  sla: DueClock | null,
  marks: OutgoingMarks = noMarks
): Static<typeof ListedTicket> {
  return {
    ...queueTicketView(row),
    snippet: row.last_text && snippetOf(row.last_text),
    last_message_by: lastSender(row),
    waiting_since: row.waiting_since && timestamp(row.waiting_since),
    woken_at: row.woken_at?.toISOString() ?? null,
    unread: row.unread,
    sla,
    ...marks
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
