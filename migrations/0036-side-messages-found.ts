import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false
export const oldestCode = '0002-search'

/** What files and e-mails of side conversations are found by, and the checks of 0035 for the rows that were there before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['ticket_attachments', 'inbound_mails', 'sent_emails']) {
    const on = sql`${sql.table(table)} (side_message_id) where side_message_id is not null`
    await makeIndex(db, `${table}_side_message_index`, on)
    await sql`alter table ${sql.table(table)} validate constraint ${sql.ref(`${table}_side_message_id_fkey`)}`.execute(
      db
    )
  }
  await sql`alter table ticket_attachments validate constraint ticket_attachments_check`.execute(db)
}
