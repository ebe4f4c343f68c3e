import { type Kysely, sql } from 'kysely'

/** Older code neither writes nor reads these columns, which may all be null. */
export const oldestCode = '0028c-search-places'

/** The authentication result of an e-mail, the peer that it is based on, and who forwarded the e-mail to the desk. */
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
