import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** Which process is exchanging the token, and until when that counts. Older code does not look at it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailbox_tokens add renewed_by uuid, add renewing_until timestamptz`.execute(db)
}
