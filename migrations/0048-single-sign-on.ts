import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** OpenID Connect: providers, who is who there, sign-ins that are under way, and those that were refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sso_providers (
      id bigint generated always as identity primary key,
      slug varchar(50) not null unique,
      name varchar(100) not null,
      population text not null check (population in ('client', 'staff')),
      issuer text not null,
      client_id varchar(255) not null,
      sealed_secret text,
      scopes varchar(500) not null,
      -- In lower case. Addresses of others are refused, unless it is empty.
      domains text[] not null,
      email_trust text not null check (email_trust in ('verified_claim', 'issuer')),
      create_accounts boolean not null,
      role_claim varchar(200),
      role_map jsonb not null,
      trust_amr_mfa boolean not null,
      is_active boolean not null,
      version integer default 1 not null,
      created_at timestamptz default now() not null,
      updated_at timestamptz default now() not null
    )`.execute(db)
  await sql`
    create table sso_identities (
      id bigint generated always as identity primary key,
      provider_id bigint not null references sso_providers on delete cascade,
      subject varchar(255) not null,
      user_type text not null check (user_type in ('client', 'staff')),
      user_id bigint not null,
      client_id bigint generated always as (case when user_type = 'client' then user_id end) stored references clients on delete cascade,
      staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored references staff on delete cascade,
      created_at timestamptz default now() not null,
      last_used_at timestamptz,
      unique (provider_id, subject),
      unique (provider_id, user_type, user_id)
    )`.execute(db)
  await sql`create index sso_identities_client_index on sso_identities (client_id) where client_id is not null`.execute(
    db
  )
  await sql`create index sso_identities_staff_index on sso_identities (staff_id) where staff_id is not null`.execute(db)
  await sql`
    create table sso_attempts (
      id bigint generated always as identity primary key,
      state_sha256 char(64) not null unique,
      cookie_sha256 char(64) not null,
      provider_id bigint not null references sso_providers on delete cascade,
      nonce text not null,
      sealed_verifier text not null,
      return_to text not null,
      -- Of somebody who is signed in and connects their account, or tries the provider.
      session_id bigint references sessions on delete cascade,
      purpose text not null check (purpose in ('sign-in', 'link', 'test')),
      -- What a test has found.
      result jsonb,
      expires_at timestamptz not null,
      used_at timestamptz,
      created_at timestamptz default now() not null
    )`.execute(db)
  await sql`create index sso_attempts_expires_index on sso_attempts (expires_at)`.execute(db)
  await sql`create index sso_attempts_provider_index on sso_attempts (provider_id)`.execute(db)
  await sql`create index sso_attempts_session_index on sso_attempts (session_id) where session_id is not null`.execute(
    db
  )
  await sql`
    create table sso_refusals (
      id bigint generated always as identity primary key,
      provider_id bigint not null references sso_providers on delete cascade,
      -- By which a person names it to an admin.
      reference varchar(10) not null,
      code text not null,
      reason text not null,
      created_at timestamptz default now() not null
    )`.execute(db)
  await sql`create index sso_refusals_created_index on sso_refusals (created_at)`.execute(db)
  await sql`create index sso_refusals_provider_index on sso_refusals (provider_id)`.execute(db)
  // When a session ends, however often it is renewed; and whether it was opened with a second factor at a provider.
  await sql`alter table sessions add column ends_at timestamptz, add column has_provider_factor boolean default false not null`.execute(
    db
  )
  // Of the provider that has sent somebody who is asked for the second factor here.
  await sql`alter table login_challenges add column provider_id bigint references sso_providers on delete cascade`.execute(
    db
  )
  await sql`create index login_challenges_provider_index on login_challenges (provider_id) where provider_id is not null`.execute(
    db
  )
  // An admin made at a terminal signs in once by password, also where staff sign in by single sign-on only.
  await sql`alter table staff add column signs_in_once boolean default false not null`.execute(db)
}
