import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Whether the index by which lists are filtered by a field is there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table fields add column is_filter_ready boolean default false not null`.execute(db)
}
