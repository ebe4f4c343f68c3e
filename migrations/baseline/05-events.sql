create table events (
  id bigint generated always as identity primary key,
  ticket_id bigint,
  kind varchar(50) not null,
  actor_type text not null check (actor_type in ('client', 'staff', 'system')),
  actor_id bigint,
  actor_name varchar(210) not null,
  before json,
  after json,
  ip_address varchar(45),
  request_id varchar(100),
  created_at timestamptz default now() not null,
  subject_type varchar(30) default 'ticket' not null,
  subject_id bigint,
  client_id bigint,
  department_id bigint,
  is_silent boolean default false not null,
  is_audited boolean default false not null,
  audited json
);
create index events_of_clients_index on events (client_id) where ticket_id is null and client_id is not null;
create index events_ticket_index on events (ticket_id, id);

create table event_sequencer (
  only_row boolean default true primary key check (only_row),
  last_place bigint default 0 not null,
  seen_id bigint not null,
  gaps jsonb default '[]' not null
);
insert into event_sequencer (seen_id) values (0);

create table event_places (
  place bigint primary key,
  event_id bigint not null unique
);

-- How far each reader of the log is: it has handled the events up to this place.
create table event_readers (
  name text primary key,
  place bigint default 0 not null
);
insert into event_readers (name) values ('notifications'), ('webhooks');

-- Events, by their place, of which somebody may have to be notified by e-mail.
create table pending_notifications (
  event_id bigint primary key,
  ticket_id bigint not null references tickets on delete cascade,
  happened_at timestamptz not null,
  due_at timestamptz not null
);
create index pending_notifications_due on pending_notifications (due_at, event_id);
create index pending_notifications_ticket on pending_notifications (ticket_id);

create table audit_log (
  id bigint primary key,
  action varchar(60) not null,
  actor_type text not null check (actor_type in ('client', 'staff', 'system')),
  actor_id bigint,
  actor_name varchar(210) not null,
  target_type varchar(30) not null,
  target_id bigint,
  before json,
  after json,
  ip_address varchar(45),
  request_id varchar(100),
  created_at timestamptz not null,
  previous_hash char(43) not null,
  hash char(43) not null,
  actor_digest char(43),
  change_digest char(43),
  redaction_seal char(43),
  check ((actor_digest is null) = (change_digest is null))
);
create index audit_log_action_index on audit_log (action, id desc);
create index audit_log_actor_index on audit_log (actor_type, actor_id, id desc);
create index audit_log_created_index on audit_log (created_at);
create index audit_log_target_index on audit_log (target_type, target_id, id desc);

create table audit_head (
  only_row boolean default true primary key check (only_row),
  last_id bigint not null,
  last_hash char(43) not null,
  seal char(43) not null
);

create unlogged table stream_processes (
  id uuid primary key,
  seen_at timestamptz not null
);

create unlogged table event_streams (
  id uuid primary key,
  process_id uuid not null references stream_processes on delete cascade,
  population varchar(10) not null,
  account_id bigint not null
);
create index event_streams_account_index on event_streams (account_id, population);
create index event_streams_process_index on event_streams (process_id);

create unlogged table presences (
  ticket_id bigint not null,
  staff_id bigint not null,
  state varchar(20) not null,
  since timestamptz not null,
  said_at timestamptz not null,
  primary key (staff_id, ticket_id)
);

create table webhooks (
  id bigint generated always as identity primary key,
  url text not null check (length(url) >= 1 and length(url) <= 2048),
  kinds text[] default '{}' not null,
  include_text boolean default false not null,
  include_notes boolean default false not null,
  is_active boolean default true not null,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  disabled_at timestamptz,
  failing_since timestamptz,
  starts_after bigint not null,
  missed_after bigint,
  missed_until bigint,
  missed_since timestamptz,
  version integer default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null
);

create table webhook_secrets (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  sealed_secret text not null,
  retires_at timestamptz,
  created_at timestamptz default now() not null
);
create unique index webhook_secrets_current on webhook_secrets (webhook_id) where retires_at is null;
create index webhook_secrets_webhook on webhook_secrets (webhook_id);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null,
  event_id bigint,
  message_id text not null,
  kind text not null,
  ticket_id bigint,
  client_id bigint,
  state text default 'queued' not null check (state in ('queued', 'retrying', 'delivered', 'failed')),
  attempts integer default 0 not null,
  failures integer default 0 not null,
  last_status integer,
  last_error text,
  is_scrubbed boolean default false not null,
  due_at timestamptz not null,
  started_at timestamptz,
  settled_at timestamptz,
  created_at timestamptz default now() not null,
  check ((state in ('delivered', 'failed')) = (settled_at is not null))
);
create index webhook_deliveries_client on webhook_deliveries (client_id) where client_id is not null;
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, id) where settled_at is null;
create unique index webhook_deliveries_event on webhook_deliveries (webhook_id, event_id);
create index webhook_deliveries_list on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_settled on webhook_deliveries (settled_at) where settled_at is not null;
create index webhook_deliveries_untried on webhook_deliveries (webhook_id, ticket_id, event_id) where state = 'queued';

create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  number integer not null,
  status integer,
  error text,
  answer text,
  duration_milliseconds integer not null,
  started_at timestamptz not null
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id, id);
