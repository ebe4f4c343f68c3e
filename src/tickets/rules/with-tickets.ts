import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

/** The same runs or trials, each with the number and the subject of its ticket. */
export async function withTickets<Of extends { ticket_id: number }>(db: Db, all: readonly Of[]) {
  const ids = [...new Set(all.map(({ ticket_id }) => ticket_id))]
  const tickets = new Map((await ticketsOf(db, { ids })).map(({ id, ...ticket }) => [id, ticket]))
  // A ticket that is gone takes its runs along.
  return all.flatMap(each => {
    const ticket = tickets.get(each.ticket_id)
    return ticket ? [{ ...each, ...ticket }] : []
  })
}

const ticketsOf = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'ticket_number', 'subject'])
)
