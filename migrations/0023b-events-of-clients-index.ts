import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const oldestCode = '0022-desk-logo'
export const inTransaction = false

/** What was done by and to a client besides tickets is found when the client is erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'events_of_clients_index',
    sql`events (client_id) where ticket_id is null and client_id is not null`
  )
}
