import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const oldestCode = '0028c-search-places'
export const inTransaction = false

/** By this index the metrics find when the last mail came by each channel. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(db, 'inbound_mails_way', sql`inbound_mails (via, received_at)`)
}
