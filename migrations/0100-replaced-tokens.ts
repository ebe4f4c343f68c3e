import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** An API token that was replaced names its successor, and works beside it for a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_tokens add column replaced_by bigint`.execute(db)
}
