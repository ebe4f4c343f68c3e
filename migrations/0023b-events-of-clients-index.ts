import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const oldestCode = '0022-desk-logo'
export const inTransaction = false

/** By this index the erasure of a client finds their events that are not about tickets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'events_of_clients_index',
    sql`events (client_id) where ticket_id is null and client_id is not null`
  )
}
