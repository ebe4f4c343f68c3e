import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Whether the owner of an API token was told that it ends soon. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_tokens add column is_end_told boolean default false not null`.execute(db)
}
