import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Why a message to a third party was stopped, as a code that pages have a sentence for; in place of `stopped_reason`, which older code writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table waiting_side_messages add column stopped_code text, add column stopped_about text`.execute(db)
}
