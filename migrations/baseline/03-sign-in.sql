create table sessions (
  id bigint generated always as identity primary key,
  user_type text default 'client' not null check (user_type in ('client', 'staff')),
  user_id bigint not null,
  client_id bigint generated always as (case when user_type = 'client' then user_id end) stored references clients on delete cascade,
  staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored references staff on delete cascade,
  created_at timestamptz default now() not null,
  ended_at timestamptz,
  network varchar(45)
);
create index sessions_client_network_index on sessions (client_id, network) where client_id is not null;
create index sessions_ended_index on sessions (ended_at) where ended_at is not null;
create index sessions_living_index on sessions (created_at) where ended_at is null;
create index sessions_staff_network_index on sessions (staff_id, network) where staff_id is not null;

create table refresh_tokens (
  id bigint generated always as identity primary key,
  session_id bigint not null references sessions on delete cascade,
  user_id bigint not null,
  user_type text default 'client' not null check (user_type in ('client', 'staff')),
  token text not null unique,
  expires_at timestamptz not null,
  is_revoked boolean default false not null,
  revoked_at timestamptz,
  user_agent varchar(255),
  ip_address varchar(45),
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null
);
create index refresh_tokens_expires_index on refresh_tokens (expires_at);
create index refresh_tokens_session_index on refresh_tokens (session_id);

create table login_challenges (
  id bigint generated always as identity primary key,
  user_type text not null check (user_type in ('client', 'staff')),
  user_id bigint not null,
  client_id bigint generated always as (case when user_type = 'client' then user_id end) stored references clients on delete cascade,
  staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored references staff on delete cascade,
  password varchar(255) not null,
  attempts smallint default 0 not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz default now() not null
);
create index login_challenges_client_index on login_challenges (client_id);
create index login_challenges_expires_index on login_challenges (expires_at);
create index login_challenges_staff_index on login_challenges (staff_id);

create table recovery_codes (
  id bigint generated always as identity primary key,
  user_type text not null check (user_type in ('client', 'staff')),
  user_id bigint not null,
  client_id bigint generated always as (case when user_type = 'client' then user_id end) stored references clients on delete cascade,
  staff_id bigint generated always as (case when user_type = 'staff' then user_id end) stored references staff on delete cascade,
  digest char(43) not null,
  used_at timestamptz,
  created_at timestamptz default now() not null
);
create index recovery_codes_client_index on recovery_codes (client_id) where client_id is not null;
create index recovery_codes_staff_index on recovery_codes (staff_id) where staff_id is not null;

create table reset_tokens (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  -- The address to which the link was e-mailed, and which its use proves.
  email varchar(255) not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  voided_at timestamptz,
  created_at timestamptz default now() not null
);
create index reset_tokens_client_index on reset_tokens (client_id);
create index reset_tokens_expires_index on reset_tokens (expires_at);

create table staff_reset_tokens (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  voided_at timestamptz,
  created_at timestamptz default now() not null
);
create index staff_reset_tokens_expires_index on staff_reset_tokens (expires_at);
create index staff_reset_tokens_staff_index on staff_reset_tokens (staff_id);

create table verification_codes (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  type text not null check (type in ('email', 'phone')),
  target varchar(255) not null,
  code varchar(20) not null,
  attempts smallint default 0 not null,
  expires_at timestamptz not null,
  is_used boolean default false not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null
);
create index verification_codes_expires_index on verification_codes (expires_at);
create unique index verification_codes_open_key on verification_codes (client_id, type) where not is_used;
create index verification_codes_target_index on verification_codes (type, target) where not is_used;

create unlogged table sign_in_failures (
  email varchar(300) not null,
  kind text not null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  ip_address varchar(45),
  reported_at timestamptz,
  primary key (email, kind)
);

create unlogged table rate_limits (
  key varchar(400) collate "C" primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets_index on rate_limits (resets_at);

create table idempotency_keys (
  scope text primary key,
  fingerprint text not null,
  sealed_answer text not null,
  people text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index idempotency_keys_expires_at on idempotency_keys (expires_at);
