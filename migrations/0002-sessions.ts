import { type Kysely, sql } from 'kysely'

/** Sessions, single-use secrets (refresh tokens, login challenges, reset tokens, one-time codes), and the counts of failed attempts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An account is identified by (population, id). By the generated columns the database deletes the rows of a deleted account.
  await sql`
    create table sessions (
      id bigint generated always as identity primary key,
      user_type text not null default 'client' check (user_type in ('client', 'staff')),
      user_id bigint not null,
      client_id bigint generated always as (case when user_type = 'client' then user_id end) stored
        references clients on delete cascade,
      staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored
        references staff on delete cascade,
      created_at timestamptz not null default now(),
      ended_at timestamptz
    )`.execute(db)
  await sql`create index sessions_client_index on sessions (client_id) where client_id is not null`.execute(db)
  await sql`create index sessions_staff_index on sessions (staff_id) where staff_id is not null`.execute(db)

  // The refresh tokens of the contract. 'token' holds a keyed digest, never the token itself.
  await sql`
    create table refresh_tokens (
      id bigint generated always as identity primary key,
      session_id bigint not null references sessions on delete cascade,
      user_id bigint not null,
      user_type text not null default 'client' check (user_type in ('client', 'staff')),
      token text not null unique,
      expires_at timestamptz not null,
      is_revoked boolean not null default false,
      revoked_at timestamptz,
      user_agent varchar(255),
      ip_address varchar(45),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index refresh_tokens_session_index on refresh_tokens (session_id)`.execute(db)
  await sql`create index refresh_tokens_expires_index on refresh_tokens (expires_at)`.execute(db)

  await sql`
    create table login_challenges (
      id bigint generated always as identity primary key,
      user_type text not null check (user_type in ('client', 'staff')),
      user_id bigint not null,
      client_id bigint generated always as (case when user_type = 'client' then user_id end) stored
        references clients on delete cascade,
      staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored
        references staff on delete cascade,
      password varchar(255) not null,
      attempts smallint not null default 0,
      expires_at timestamptz not null,
      used_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index login_challenges_client_index on login_challenges (client_id)`.execute(db)
  await sql`create index login_challenges_staff_index on login_challenges (staff_id)`.execute(db)
  await sql`create index login_challenges_expires_index on login_challenges (expires_at)`.execute(db)

  await sql`
    create table reset_tokens (
      id bigint generated always as identity primary key,
      client_id bigint not null references clients on delete cascade,
      expires_at timestamptz not null,
      used_at timestamptz,
      voided_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index reset_tokens_client_index on reset_tokens (client_id)`.execute(db)
  await sql`create index reset_tokens_expires_index on reset_tokens (expires_at)`.execute(db)

  // 'code' holds a keyed digest cut to the contract's 20 characters.
  await sql`
    create table verification_codes (
      id bigint generated always as identity primary key,
      client_id bigint not null references clients on delete cascade,
      type text not null check (type in ('email', 'phone')),
      target varchar(255) not null,
      code varchar(20) not null,
      attempts smallint not null default 0,
      expires_at timestamptz not null,
      is_used boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index verification_codes_open_key on verification_codes (client_id, type) where not is_used`.execute(
    db
  )
  await sql`create index verification_codes_target_index on verification_codes (type, target) where not is_used`.execute(
    db
  )
  await sql`create index verification_codes_expires_index on verification_codes (expires_at)`.execute(db)

  // The table is unlogged: a crash of the database allows a few more attempts, while logging each attempt would cost more.
  await sql`
    create unlogged table guesses (
      key varchar(400) primary key,
      count integer not null,
      resets_at timestamptz not null
    )`.execute(db)
  await sql`create index guesses_resets_index on guesses (resets_at)`.execute(db)
}
