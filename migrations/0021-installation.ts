import { type Kysely, sql } from 'kysely'

/**
 * The id of the installation that this database belongs to, in one row. Its files have the same id, so that a cleanup never mistakes the
 * files of another installation for its own. `location` identifies the database: a copy has another location, and gets an id of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table installation (
      is_only boolean primary key default true check (is_only),
      id uuid not null default gen_random_uuid(),
      location text,
      former_ids uuid[] not null default '{}',
      copied_from uuid[] not null default '{}',
      last_sweep jsonb,
      swept_at timestamptz
    )`.execute(db)
  await sql`insert into installation default values`.execute(db)

  // A file whose row was deleted is removed for good, unlike one that merely has no row. It is removed after the commit; if that fails,
  // the next cleanup does it.
  await sql`create table removed_files (file_path text primary key)`.execute(db)
  await sql`
    create function list_removed_files() returns trigger language plpgsql as $$
    begin
      insert into removed_files (file_path) select file_path from deleted on conflict do nothing;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ticket_attachments_removed after delete on ticket_attachments referencing old table as deleted
    for each statement execute function list_removed_files()`.execute(db)
}
