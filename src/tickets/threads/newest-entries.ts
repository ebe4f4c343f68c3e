import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Tables } from '../../core/tables/tables.ts'
import { anyPart } from '../ticket/merged-parts.ts'
import type { AttachmentView } from '../ticket/schemas.ts'
import { messageViews, type PartMessage, writtenMessages } from './thread-of.ts'

/** Limits of a page of messages or notes: entries, and bytes of text unless a single entry has more. */
const entriesOnPage = 100
const bytesOnPage = 2_000_000

/** Where a page starts: backwards from an id, or forwards with `after`. */
export interface From {
  id: number
  after?: true
}

/** An entry of a page, and whether the thread goes on beyond it. */
interface PlacedEntry {
  id: number
  has_more: boolean
}

/**
 * Within a query on `tickets`: the messages or notes of the ticket and its merged parts that a page shows: the newest before the id or,
 * with `after`, the oldest after it, as many as fit. The length of a text is known without reading it, so that none is read just to find
 * that it does not fit.
 */
export function entriesOfParts(table: 'ticket_messages' | 'ticket_notes', { id, after }: From) {
  const text = sql.ref(table === 'ticket_messages' ? 'message' : 'note')
  const emailBytes =
    table === 'ticket_messages'
      ? sql`coalesce((select octet_length(quoted) + coalesce(octet_length(html), 0) from message_emails where message_id = entry.id), 0)`
      : sql`0`
  const [comparison, direction] = after ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  return sql<PlacedEntry>`(
    select id, has_more from (
      select id, row_number() over (order by id ${direction}) as place, sum(bytes) over (order by id ${direction}) - bytes as bytes_before,
        lead(id) over (order by id ${direction}) is not null as has_more
      from (
        select entry.id, octet_length(entry.${text}) + coalesce(octet_length(entry.formatted_html), 0) + ${emailBytes} as bytes from ${sql.table(table)} as entry
        where entry.ticket_id = ${anyPart} and entry.id ${comparison} ${id}::bigint
        order by entry.id ${direction} limit ${sql.lit(entriesOnPage + 1)}) as newest) as placed
    where place <= ${sql.lit(entriesOnPage)} and bytes_before < ${sql.lit(bytesOnPage)})`
}

type Within = ExpressionBuilder<Tables, 'tickets'>

/** Within a query on `tickets`: a page of the thread, with the files of each message. */
export function messagesOnPage(db: Within, from: From) {
  return jsonArrayFrom(
    writtenMessages(db)
      .innerJoin(entriesOfParts('ticket_messages', from).as('placed'), 'placed.id', 'message.id')
      .select('placed.has_more')
      .select(db =>
        jsonArrayFrom(
          db
            .selectFrom('ticket_attachments as file')
            .whereRef('file.message_id', '=', 'message.id')
            .select(['file.id', 'file.file_name', 'file.file_path', 'file.file_size', 'file.file_type'])
            .orderBy('file.id')
        ).as('files')
      )
  )
}

/** Within a query on `tickets`: files without a message; they are shown with the first one. */
export function filesOfNoMessage(db: Within) {
  return jsonArrayFrom(
    db
      .selectFrom('ticket_attachments')
      .where('ticket_attachments.ticket_id', '=', anyPart)
      .where('message_id', 'is', null)
      .select(['id', 'message_id', 'file_name', 'file_path', 'file_size', 'file_type'])
      .orderBy('id')
  )
}

type PageMessage = PartMessage & { has_more: boolean; files: AttachmentView[] }

/** A page of messages for a response. `loose`: files without a message, if the page has the first one. */
export function pageViews(messages: readonly PageMessage[], loose: Parameters<typeof messageViews>[1] = []) {
  const files = messages.flatMap(({ id, files }) => files.map(file => ({ ...file, message_id: id })))
  const shown = messages.map(({ has_more: _, files: __, ...message }) => message)
  return messageViews(shown, [...files, ...loose])
}

/** The id before which earlier entries are requested; null if there are none. */
export function earlierThan(entries: readonly PlacedEntry[]): number | null {
  const first = entries.reduce<PlacedEntry | undefined>(
    (one, other) => (one && one.id < other.id ? one : other),
    undefined
  )
  return first?.has_more ? first.id : null
}
