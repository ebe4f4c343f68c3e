import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const oldestCode = '0028c-search-places'
export const inTransaction = false

/** What became of an e-mail is asked for by its row of the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(db, 'sent_emails_letter', sql`sent_emails (letter_id)`)
}
