import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** The secrets by which a site signs who its visitor is: the present one, and former ones for a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table widget_secrets (
      id bigint generated always as identity primary key,
      sealed_secret text not null,
      created_at timestamptz not null,
      -- Null: the present one.
      retires_at timestamptz
    )`.execute(db)
  await sql`create unique index widget_secrets_present_index on widget_secrets ((true)) where retires_at is null`.execute(
    db
  )
}
