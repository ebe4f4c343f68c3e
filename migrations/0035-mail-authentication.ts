import { type Kysely, sql } from 'kysely'

/** Code from before neither writes nor reads these columns, which may all be null. */
export const oldestCode = '0028c-search-places'

/** How sure it is who wrote an e-mail, what that was told from, and who passed it on to the desk. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table inbound_mails
      add peer_address text,
      add peer_name text,
      add authentication jsonb`.execute(db)
  await sql`
    alter table message_emails
      add forwarded_by jsonb`.execute(db)
}
