import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** Why a mailbox cannot be used, for programs. Older code leaves both columns as they are; newer code overwrites them at the next failure. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailboxes add last_error_code text, add last_error_said text`.execute(db)
}
