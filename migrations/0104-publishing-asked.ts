import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Who asked for an article to be published, and when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table kb_articles add column publishing_asked_at timestamptz`.execute(db)
  await sql`alter table kb_articles add column publishing_asked_by bigint references staff on delete set null`.execute(
    db
  )
  await sql`
    create index kb_articles_publishing_asked_by_index on kb_articles (publishing_asked_by)
    where publishing_asked_by is not null`.execute(db)
}
