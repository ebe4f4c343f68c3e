import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/**
 * The number of a client's tickets is `clients.ticket_count` plus the rows of a table to which each new ticket adds one, so that tickets of one
 * client do not wait for each other. A job adds them up, so that older code, which reads and writes `ticket_count` alone, is at most a minute behind. It may take
 * away a ticket that is not yet added up: hence there is no check.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table client_ticket_changes (client_id bigint not null, tickets integer not null)`.execute(db)
  await sql`create index client_ticket_changes_client_index on client_ticket_changes (client_id)`.execute(db)
  await sql`alter table clients drop constraint if exists clients_ticket_count_check`.execute(db)
}
