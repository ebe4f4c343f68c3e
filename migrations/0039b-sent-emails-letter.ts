import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const oldestCode = '0028c-search-places'
export const inTransaction = false

/** By this index a sent e-mail is found by its row in the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(db, 'sent_emails_letter', sql`sent_emails (letter_id)`)
}
