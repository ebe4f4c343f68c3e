import { type Kysely, sql } from 'kysely'

/** Recovery codes, password resets of staff, and the settings that admins change at runtime. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // 'digest' is keyed, so that nobody who reads the database can try codes against it.
  await sql`
    create table recovery_codes (
      id bigint generated always as identity primary key,
      user_type text not null check (user_type in ('client', 'staff')),
      user_id bigint not null,
      client_id bigint generated always as (case when user_type = 'client' then user_id end) stored
        references clients on delete cascade,
      staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored
        references staff on delete cascade,
      digest char(43) not null,
      used_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index recovery_codes_client_index on recovery_codes (client_id) where client_id is not null`.execute(
    db
  )
  await sql`create index recovery_codes_staff_index on recovery_codes (staff_id) where staff_id is not null`.execute(db)

  // When a second factor is turned off, by whatever code, its recovery codes are deleted with it.
  await sql`
    create function forget_recovery_codes() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'clients' then
        delete from recovery_codes where client_id = new.id;
      else
        delete from recovery_codes where staff_id = new.id;
      end if;
      return null;
    end $$`.execute(db)
  for (const table of ['clients', 'staff']) {
    await sql`create trigger ${sql.ref(`${table}_factor_off`)} after update of two_factor_enabled on ${sql.table(table)}
      for each row when (old.two_factor_enabled and not new.two_factor_enabled)
      execute function forget_recovery_codes()`.execute(db)
  }

  await sql`
    create table staff_reset_tokens (
      id bigint generated always as identity primary key,
      staff_id bigint not null references staff on delete cascade,
      expires_at timestamptz not null,
      used_at timestamptz,
      voided_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index staff_reset_tokens_staff_index on staff_reset_tokens (staff_id)`.execute(db)
  await sql`create index staff_reset_tokens_expires_index on staff_reset_tokens (expires_at)`.execute(db)

  // A setting without a row has its default.
  await sql`
    create table desk_settings (
      name varchar(100) primary key,
      value jsonb not null,
      updated_at timestamptz not null default now()
    )`.execute(db)
}
