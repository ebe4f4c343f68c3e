import { type RawBuilder, sql } from 'kysely'
import { type Db, preparedByKind } from '../../core/db.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import type { RankedResult, ResultKind } from './candidates.ts'
import { kindOf, type Owner, ownerOf, type Scope, visibleTicketsIn } from './scope.ts'

/** A search result, with what it belongs to. */
export interface ResultRow {
  kind: ResultKind
  /** The id of the ticket, message, note or client itself. */
  id: number
  rank: number
  created_at: Date
  /** Where it was found; for a client the last changed ticket that the searcher sees, if any. */
  ticket: { id: number; ticket_number: string; subject: string; status: TicketStatus } | null
  client: { id: number; first_name: string; last_name: string; email: string }
  /** The beginning of its text. */
  text: string
}

/** Text after this many characters is not marked, because that would mean reading all of it. */
const maxMarked = 20_000

/** The results for these places, in order. */
export async function resultRows(db: Db, scope: Scope, places: RankedResult[]): Promise<ResultRow[]> {
  if (places.length === 0) return []
  const values = { places: JSON.stringify(places), ...ownerOf(scope) }
  return await rowsByKind(db, values, kindOf(scope), (db, p) => ({ compile: () => rowsOf(db, scope, p).compile(db) }))
}

interface Values extends Owner {
  places: string
}

const rowsByKind = preparedByKind<Values, ResultRow>()

function rowsOf(db: Db, scope: Scope, p: Values): RawBuilder<ResultRow> {
  return sql<ResultRow>`
    select place.kind, place.id, place.rank, content.created_at, ticket_of.ticket,
      json_build_object('id', clients.id, 'first_name', clients.first_name, 'last_name', clients.last_name,
        'email', clients.email) as client,
      content.beginning as text
    from json_to_recordset(${p.places}::json) as place (kind text, id bigint, rank real)
    cross join lateral (${sql.join(contents(db, scope, p), sql` union all `)}) as content
    join clients on clients.id = content.client_id
    left join lateral (
      select json_build_object('id', tickets.id, 'ticket_number', tickets.ticket_number, 'subject', tickets.subject,
        'status', tickets.status) as ticket
      from tickets where tickets.id = content.ticket_id) as ticket_of on true
    order by place.rank desc, place.kind, place.id desc`
}

/** For each kind that the searcher may find: its text and what it belongs to, for the row `place`. */
function contents(db: Db, scope: Scope, owner: Owner): RawBuilder<unknown>[] {
  const found = [
    sql`select tickets.id as ticket_id, tickets.client_id, tickets.created_at,
        concat(ticket_number, ' ', subject, ' (', first_name, ' ', last_name, ', ', email, ')') as beginning
      from tickets join clients on clients.id = tickets.client_id where place.kind = 'ticket' and tickets.id = place.id`,
    sql`select tickets.id, tickets.client_id, ticket_messages.created_at, left(message, ${sql.lit(maxMarked)})
      from ticket_messages join tickets on tickets.id = ticket_id
      where place.kind = 'message' and ticket_messages.id = place.id`
  ]
  if (scope.notes) {
    found.push(sql`select tickets.id, tickets.client_id, ticket_notes.created_at, left(note, ${sql.lit(maxMarked)})
      from ticket_notes join tickets on tickets.id = ticket_id
      where place.kind = 'note' and ticket_notes.id = place.id`)
  }
  if (scope.clients !== 'none') {
    const ticket = visibleTicketsIn(db, scope, owner)
      .where(sql<boolean>`tickets.client_id = clients.id`)
      .orderBy('tickets.updated_at', 'desc')
      .orderBy('tickets.id', 'desc')
      .limit(sql.lit(1))
      .select('tickets.id')
    found.push(sql`select ${ticket}, clients.id, clients.created_at,
        concat(first_name, ' ', last_name, ' <', email, '>', case when company_name <> '' then ', ' end, company_name)
      from clients where place.kind = 'client' and clients.id = place.id`)
  }
  return found
}
