import { type Kysely, sql } from 'kysely'

export const oldestCode = '0022-desk-logo'

/** How far rows have been rewritten that a migration must not rewrite itself, since it would hold its locks for as long. */
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
  // The events that were there before they told whose they are.
  await sql`
    insert into rewrites (name, up_to, finished_at)
    select 'clients-of-events', coalesce(max(id), 0), case when max(id) is null then now() end from events`.execute(db)
}
