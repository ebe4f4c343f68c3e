import { type Kysely, sql } from 'kysely'

/** What staff need to work with tickets: versions, the trash, merging, notes, tags, watchers, members of departments, canned replies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tickets
      add version integer not null default 1,
      add trashed_at timestamptz,
      add merged_into_id bigint references tickets on delete set null,
      add closed_at timestamptz,
      add check (merged_into_id <> id)`.execute(db)
  await sql`create index tickets_merged_index on tickets (merged_into_id) where merged_into_id is not null`.execute(db)
  // The queue has every ticket that is neither in the trash nor merged, by latest activity, as a whole or by department or status.
  await sql`create index tickets_queue_index on tickets (updated_at desc, id desc)
    where trashed_at is null and merged_into_id is null`.execute(db)
  await sql`create index tickets_queue_status_index on tickets (status, updated_at desc, id desc)
    where trashed_at is null and merged_into_id is null`.execute(db)
  await sql`create index tickets_queue_department_index on tickets (department_id, status, updated_at desc, id desc)
    where trashed_at is null and merged_into_id is null`.execute(db)
  await sql`create index tickets_unassigned_index on tickets (updated_at desc, id desc)
    where assigned_staff_id is null and status <> 'Closed' and trashed_at is null and merged_into_id is null`.execute(
    db
  )
  await sql`create index tickets_open_index on tickets (department_id, status, assigned_staff_id)
    where status <> 'Closed' and trashed_at is null and merged_into_id is null`.execute(db)
  await sql`create index tickets_trash_index on tickets (trashed_at) where trashed_at is not null`.execute(db)
  await sql`create index tickets_created_index on tickets (created_at desc, id desc)
    where trashed_at is null and merged_into_id is null`.execute(db)

  // A trigger raises the version, so that every change counts, also one by older code that knows no versions.
  await sql`
    create function raise_ticket_version() returns trigger language plpgsql as $$
    begin
      new.version := old.version + 1;
      if new.status is distinct from old.status then
        new.closed_at := case when new.status = 'Closed' then new.updated_at end;
      end if;
      return new;
    end $$`.execute(db)
  await sql`create trigger tickets_version before update on tickets
    for each row execute function raise_ticket_version()`.execute(db)

  // Notes have a table of their own, so that no query on messages can ever return one.
  await sql`
    create table ticket_notes (
      id bigint generated always as identity primary key,
      ticket_id bigint not null references tickets on delete cascade,
      staff_id bigint references staff on delete set null,
      author_first_name varchar(100) not null,
      author_last_name varchar(100) not null,
      note text not null check (note <> ''),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index ticket_notes_ticket_index on ticket_notes (ticket_id, id)`.execute(db)
  await sql`create index ticket_notes_staff_index on ticket_notes (staff_id) where staff_id is not null`.execute(db)

  await sql`
    create table tags (
      id bigint generated always as identity primary key,
      name varchar(50) not null check (name <> ''),
      color char(7) not null default '#808080' check (color ~ '^#[0-9a-f]{6}$'),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index tags_name_key on tags (lower(name))`.execute(db)
  await sql`
    create table ticket_tags (
      ticket_id bigint not null references tickets on delete cascade,
      tag_id bigint not null references tags on delete cascade,
      primary key (ticket_id, tag_id)
    )`.execute(db)
  await sql`create index ticket_tags_tag_index on ticket_tags (tag_id, ticket_id)`.execute(db)

  await sql`
    create table ticket_watchers (
      ticket_id bigint not null references tickets on delete cascade,
      staff_id bigint not null references staff on delete cascade,
      created_at timestamptz not null default now(),
      primary key (ticket_id, staff_id)
    )`.execute(db)
  await sql`create index ticket_watchers_staff_index on ticket_watchers (staff_id)`.execute(db)

  // A supporter with rows here sees only these departments; one without any sees all.
  await sql`
    create table department_members (
      department_id bigint not null references departments on delete cascade,
      staff_id bigint not null references staff on delete cascade,
      created_at timestamptz not null default now(),
      primary key (department_id, staff_id)
    )`.execute(db)
  await sql`create index department_members_staff_index on department_members (staff_id)`.execute(db)

  await sql`
    create table canned_replies (
      id bigint generated always as identity primary key,
      -- The owner of a personal reply; null if it is shared.
      staff_id bigint references staff on delete cascade,
      title varchar(100) not null check (title <> ''),
      text text not null check (text <> ''),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index canned_replies_staff_index on canned_replies (staff_id)`.execute(db)
}
