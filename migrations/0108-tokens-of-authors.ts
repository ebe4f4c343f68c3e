import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** By which API token somebody wrote a version of an article: pages say "Mira, by Nightly export" in the language of their reader. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table kb_versions add column author_token varchar(100)`.execute(db)
}
