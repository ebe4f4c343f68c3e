import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** Who exchanges the token at the moment, and until when that counts. Code from before asks nobody, as it always did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailbox_tokens add renewed_by uuid, add renewing_until timestamptz`.execute(db)
}
