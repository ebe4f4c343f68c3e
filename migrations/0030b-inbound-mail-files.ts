import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const oldestCode = '0028c-search-places'
export const inTransaction = false

/** The part of 0030 that runs without blocking writers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket_attachments validate constraint ticket_attachments_owner`.execute(db)
  await makeIndex(db, 'ticket_attachments_mail_index', sql`ticket_attachments (mail_id) where mail_id is not null`)
}
