import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const oldestCode = '0028c-search-places'
export const inTransaction = false

/** When a mail last came by each way in is asked for whenever the metrics are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(db, 'inbound_mails_way', sql`inbound_mails (via, received_at)`)
}
