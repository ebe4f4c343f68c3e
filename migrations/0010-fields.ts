import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Custom fields of tickets, and their values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fields (
      id bigint generated always as identity primary key,
      -- The name in the API, which never changes.
      key varchar(50) not null unique check (key ~ '^[a-z][a-z0-9_]*$'),
      label varchar(100) not null check (label <> ''),
      kind text not null check (kind in ('text', 'long_text', 'number', 'date', 'checkbox', 'select', 'multi_select')),
      -- Of selects, each with an id that is never used again, a label, and whether it is archived.
      options json default '[]' not null,
      -- Whether clients know of it: none, read, write.
      client_access text not null check (client_access in ('none', 'read', 'write')),
      is_filterable boolean not null,
      required_on text not null check (required_on in ('open', 'close', 'never')),
      hint varchar(500) not null,
      position integer not null,
      is_archived boolean default false not null,
      version integer default 1 not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`
    create table deleted_fields (
      field_id bigint primary key,
      -- It rests for 90 days.
      key varchar(50) not null,
      deleted_at timestamptz not null,
      -- Whether no ticket has a value of it any more.
      is_cleared boolean default false not null
    )`.execute(db)
  await sql`
    create table ticket_fields (
      ticket_id bigint primary key references tickets on delete cascade,
      -- By field: f12. Of selects the ids of options.
      values jsonb not null
    )`.execute(db)
  await sql`alter table webhooks add column include_staff_fields boolean default false not null`.execute(db)
}
