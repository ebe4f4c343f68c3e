import { type Kysely, sql } from 'kysely'

/** Clients, staff, the catalogue of permissions, and the permissions of staff (contract: Resources and their fields). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)

  await sql`
    create table clients (
      id bigint generated always as identity primary key,
      first_name varchar(100) not null check (first_name <> ''),
      last_name varchar(100) not null check (last_name <> ''),
      email varchar(255) not null check (email <> ''),
      phone_number varchar(30) not null default '',
      company_name varchar(150) not null default '',
      street_address varchar(255) not null default '',
      street_address_2 varchar(255) not null default '',
      city varchar(100) not null default '',
      state varchar(100) not null default '',
      postcode varchar(20) not null default '',
      password varchar(255) not null,
      is_active boolean not null default true,
      two_factor_enabled boolean not null default false,
      two_factor_secret varchar(255),
      two_factor_pending_secret varchar(255),
      two_factor_last_step bigint,
      profile_picture varchar(255),
      is_email_verified boolean not null default false,
      is_phone_verified boolean not null default false,
      ticket_count bigint not null default 0 check (ticket_count >= 0),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      -- Each searchable text is on a line of its own, so that no match spans two of them (decision 33).
      search_text text not null generated always as (
        lower(first_name || ' ' || last_name || E'\n' || email || E'\n' || company_name || E'\n' || phone_number)
      ) stored,
      check (not two_factor_enabled or two_factor_secret is not null)
    )`.execute(db)
  await sql`create unique index clients_email_key on clients (lower(email))`.execute(db)
  await sql`create index clients_phone_number_index on clients (phone_number) where phone_number <> ''`.execute(db)
  await sql`create index clients_search_index on clients using gin (search_text gin_trgm_ops)`.execute(db)

  // The number of clients is kept in shards, so that two sign-ups rarely wait for each other's commit.
  await sql`create table client_counts (shard smallint primary key, clients bigint not null)`.execute(db)
  await sql`insert into client_counts select shard, 0 from generate_series(0, 15) as shard`.execute(db)
  await sql`
    create function count_clients() returns trigger language plpgsql as $$
    declare
      change bigint;
    begin
      if tg_op = 'INSERT' then
        select count(*) into change from changed;
      else
        select -count(*) into change from changed;
      end if;
      update client_counts set clients = clients + change where shard = pg_backend_pid() % 16;
      return null;
    end $$`.execute(db)
  await sql`create trigger clients_counted_in after insert on clients
    referencing new table as changed for each statement execute function count_clients()`.execute(db)
  await sql`create trigger clients_counted_out after delete on clients
    referencing old table as changed for each statement execute function count_clients()`.execute(db)

  await sql`
    create table staff (
      id bigint generated always as identity primary key,
      first_name varchar(100) not null check (first_name <> ''),
      last_name varchar(100) not null check (last_name <> ''),
      email varchar(255) not null check (email <> ''),
      phone_number varchar(30),
      password varchar(255) not null,
      role text not null default 'supporter' check (role in ('admin', 'supporter')),
      is_active boolean not null default true,
      two_factor_enabled boolean not null default false,
      two_factor_secret varchar(255),
      two_factor_pending_secret varchar(255),
      two_factor_last_step bigint,
      profile_picture varchar(255),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (not two_factor_enabled or two_factor_secret is not null)
    )`.execute(db)
  await sql`create unique index staff_email_key on staff (lower(email))`.execute(db)

  await sql`
    create table permissions (
      id bigint generated always as identity primary key,
      slug varchar(100) not null unique,
      name varchar(150) not null,
      description varchar(255) not null,
      category varchar(50) not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    insert into permissions (category, slug, name, description) values
      ('Clients', 'clients.view', 'View clients', 'List clients and read their details'),
      ('Clients', 'clients.create', 'Create clients', 'Open accounts for clients'),
      ('Clients', 'clients.edit', 'Edit clients', 'Change the details of clients'),
      ('Clients', 'clients.delete', 'Delete clients', 'Delete clients with all that belongs to them'),
      ('Tickets', 'tickets.view_all', 'View all tickets', 'Read every ticket, not only the assigned ones'),
      ('Tickets', 'tickets.reply', 'Reply to tickets', 'Answer clients in the ticket thread'),
      ('Tickets', 'tickets.edit_status', 'Change ticket status', 'Set the status of tickets'),
      ('Tickets', 'tickets.delete', 'Delete tickets', 'Delete tickets with their messages and files'),
      ('Departments', 'departments.view', 'View departments', 'List departments, inactive ones too'),
      ('Departments', 'departments.manage', 'Manage departments', 'Create, change and delete departments'),
      ('Staff', 'staff.view', 'View staff', 'List staff and read their details'),
      ('Staff', 'staff.manage', 'Manage staff', 'Read the permission catalogue and the staff list')`.execute(db)

  await sql`
    create table staff_permissions (
      id bigint generated always as identity primary key,
      staff_id bigint not null references staff on delete cascade,
      permission_slug varchar(100) not null references permissions (slug),
      granted_by bigint references staff on delete set null,
      created_at timestamptz not null default now(),
      unique (staff_id, permission_slug)
    )`.execute(db)
  await sql`create index staff_permissions_granted_by_index on staff_permissions (granted_by)`.execute(db)
}
