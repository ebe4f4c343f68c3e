import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** The mailboxes that are fetched: which process fetches each, and its state. Their URLs are in a setting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mailboxes (
      id bigint generated always as identity primary key,
      name text not null unique,
      holder uuid,
      held_until timestamptz,
      looked_at timestamptz,
      mail_at timestamptz,
      unread_mails integer not null default 0,
      oldest_unread_at timestamptz,
      failing_since timestamptz,
      last_error text,
      last_error_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
}
