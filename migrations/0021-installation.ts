import { type Kysely, sql } from 'kysely'

/**
 * Which installation this database belongs to, in one row. Its files carry the same id, so that a sweep never takes the files of
 * another installation for its own. `location` says where the database lies: a copy of it lies elsewhere, and gets an id of its own.
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

  // A file whose row was deleted on purpose is removed for good, unlike one whose row is merely not there. It is removed after the
  // commit; should that fail, the next sweep does it.
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
