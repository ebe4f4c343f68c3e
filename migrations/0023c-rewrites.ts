import { type Kysely, sql } from 'kysely'

export const oldestCode = '0022-desk-logo'

/** The progress of rewriting rows in the background: a migration that did so itself would hold its locks all the while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rewrites (
      name text primary key,
      done_to bigint not null default 0,
      up_to bigint not null,
      rows_changed bigint not null default 0,
      worked_at timestamptz,
      finished_at timestamptz
    )`.execute(db)
  // The events from before they had a client.
  await sql`
    insert into rewrites (name, up_to, finished_at)
    select 'clients-of-events', coalesce(max(id), 0), case when max(id) is null then now() end from events`.execute(db)
}
