import { type Kysely, sql } from 'kysely'

/** Older code knows neither, and what it writes is unread like everything else. */
export const oldestCode = '0021-installation'

/** How far each member of staff has read each ticket, and saved views of the queue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_reads (
      ticket_id bigint not null references tickets on delete cascade,
      staff_id bigint not null references staff on delete cascade,
      message_id bigint not null,
      note_id bigint not null,
      primary key (ticket_id, staff_id)
    )`.execute(db)
  await sql`create index ticket_reads_staff_index on ticket_reads (staff_id)`.execute(db)

  // Messages from before read marks count as read, else all of them would be unread for everybody. A new desk has no row.
  await sql`
    create table read_beginning (
      only_row boolean primary key default true check (only_row),
      message_id bigint not null,
      note_id bigint not null
    )`.execute(db)
  await sql`
    insert into read_beginning (message_id, note_id)
    select newest.id, coalesce((select max(id) from ticket_notes), 0) from (select max(id) as id from ticket_messages) as newest
    where newest.id is not null`.execute(db)

  // A personal view is deleted with its owner; a shared one stays, and only admins can change it then.
  await sql`
    create table ticket_views (
      id bigint generated always as identity primary key,
      personal_to bigint references staff on delete cascade,
      shared_by bigint references staff on delete set null,
      is_shared boolean not null,
      name varchar(100) not null check (name <> ''),
      query json not null,
      position integer not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (case when is_shared then personal_to is null else personal_to is not null and shared_by is null end)
    )`.execute(db)
  await sql`create index ticket_views_personal_index on ticket_views (personal_to, position)`.execute(db)
  await sql`create index ticket_views_shared_index on ticket_views (shared_by)`.execute(db)
}
