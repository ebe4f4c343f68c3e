import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false

export const oldestCode = '0002-search'

/** The e-mails of a ticket that came back: few, which the queue shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(db, 'sent_emails_bounced', sql`sent_emails (ticket_id) where bounced_at is not null`)
}
