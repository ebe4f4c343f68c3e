import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** The addresses and networks from which an API token may be used; null: anywhere. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_tokens add column addresses text[]`.execute(db)
}
