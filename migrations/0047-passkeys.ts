import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Passkeys of clients and staff, and the challenges that a browser signs with them, each once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      id bigint generated always as identity primary key,
      user_type text not null check (user_type in ('client', 'staff')),
      user_id bigint not null,
      client_id bigint generated always as (case when user_type = 'client' then user_id end) stored references clients on delete cascade,
      staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored references staff on delete cascade,
      -- Base64url, as browsers name it.
      credential_id varchar(1400) not null unique,
      public_key bytea not null,
      counter bigint default 0 not null,
      transports text[] default '{}' not null,
      is_backed_up boolean not null,
      -- The kind of authenticator.
      aaguid uuid not null,
      -- The host name to which browsers bind it.
      host varchar(255) not null,
      name varchar(100) not null,
      -- When its counter went back: a copy of it may exist.
      blocked_at timestamptz,
      created_at timestamptz default now() not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index passkeys_client_index on passkeys (client_id) where client_id is not null`.execute(db)
  await sql`create index passkeys_staff_index on passkeys (staff_id) where staff_id is not null`.execute(db)
  await sql`
    create table passkey_challenges (
      id bigint generated always as identity primary key,
      user_type text not null check (user_type in ('client', 'staff')),
      -- Null: to sign in, when nobody knows who it will be.
      user_id bigint,
      client_id bigint generated always as (case when user_type = 'client' then user_id end) stored references clients on delete cascade,
      staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored references staff on delete cascade,
      challenge text not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      created_at timestamptz default now() not null
    )`.execute(db)
  await sql`create index passkey_challenges_client_index on passkey_challenges (client_id) where client_id is not null`.execute(
    db
  )
  await sql`create index passkey_challenges_staff_index on passkey_challenges (staff_id) where staff_id is not null`.execute(
    db
  )
  await sql`create index passkey_challenges_expires_index on passkey_challenges (expires_at)`.execute(db)
}
