// The number of a client's tickets that are not in the trash. A change is a row of `client_ticket_changes`, since raising a number with the client would
// make all tickets of one client wait for each other; a job adds the rows to `clients.ticket_count`.
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

/** The query that returns this number for a client, exact in every snapshot. */
export function ticketCountOf(db: Db, clientId: number) {
  return db
    .selectFrom('clients')
    .where('id', '=', clientId)
    .select(
      sql<number>`ticket_count
        + coalesce((select sum(tickets) from client_ticket_changes where client_id = clients.id), 0)`.as('total')
    )
}

export const changeTicketCount = prepared((db, p: { client: number; more: number }) =>
  db.insertInto('client_ticket_changes').values({ client_id: p.client, tickets: p.more })
)

/** The maximum number of clients that are added up by one statement. */
const batch = 500

/** Adds all changes to the numbers of their clients, unless somebody else has locked the client. */
export async function addUpTicketCounts(db: Db): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const [done]: { last: number | null }[] = await addUpSome(db, { after })
    after = done!.last
  }
}

/**
 * Continues with the clients after this id, in order. Changes are taken away and added by the same statement, so that a reader sees them either before or
 * after. Those of a deleted client are only taken away.
 */
const addUpSome = prepared((db: Db, p: { after: number }) => {
  const query = sql<{ last: number | null }>`
    with due as materialized (
        select distinct client_id from client_ticket_changes where client_id > ${p.after} order by client_id
        limit ${sql.lit(batch)}),
      locked as materialized (
        select id from clients where id in (select client_id from due) for no key update skip locked),
      free as materialized (
        select client_id from due
        where exists (select from locked where id = client_id) or not exists (select from clients where id = client_id)),
      taken as (
        delete from client_ticket_changes as change using free where change.client_id = free.client_id
        returning change.client_id, change.tickets),
      added as (
        update clients set ticket_count = ticket_count + summed.tickets
        from (select client_id, sum(tickets) as tickets from taken group by client_id) as summed
        where clients.id = summed.client_id)
    select max(client_id) as last from due`
  return { compile: () => query.compile(db) }
})
