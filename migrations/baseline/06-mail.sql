create table outbox_messages (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('mail', 'text')),
  kind varchar(50) not null,
  recipient varchar(255) not null,
  sealed_content text,
  state text default 'queued' not null check (state in ('queued', 'sent', 'failed')),
  attempts integer default 0 not null,
  last_answer varchar(500),
  request_id varchar(100),
  created_at timestamptz default now() not null,
  settled_at timestamptz,
  client_id bigint references clients on delete cascade,
  check (state <> 'queued' or sealed_content is not null)
);
create index outbox_messages_client_index on outbox_messages (client_id) where client_id is not null;
create index outbox_messages_queued_index on outbox_messages (created_at) where state = 'queued';
create index outbox_messages_settled_index on outbox_messages (settled_at) where state <> 'queued';

create table inbound_mails (
  id bigint generated always as identity primary key,
  sha256 char(64) not null unique,
  date_key char(64) unique,
  body_key char(64) unique,
  message_ref text,
  via text not null check (via in ('command', 'lmtp', 'smtp', 'imap', 'api')),
  envelope_recipient text,
  envelope_sender text,
  size_bytes bigint not null,
  state text default 'received' not null check (state in ('received', 'ticket', 'reply', 'held', 'bounce', 'dropped', 'refused')),
  reason text,
  attempts integer default 0 not null,
  sender text,
  sender_name text,
  subject text,
  is_automatic boolean default false not null,
  client_id bigint references clients on delete cascade,
  ticket_id bigint references tickets on delete cascade,
  message_id bigint references ticket_messages on delete set null,
  received_at timestamptz default now() not null,
  settled_at timestamptz,
  peer_address text,
  peer_name text,
  authentication jsonb,
  held_reason text,
  check ((state = 'received') = (settled_at is null))
);
create index inbound_mails_client on inbound_mails (client_id);
create index inbound_mails_message on inbound_mails (message_id);
create index inbound_mails_open on inbound_mails (received_at) where state in ('received', 'held');
create index inbound_mails_received on inbound_mails (received_at);
create index inbound_mails_ref on inbound_mails (message_ref) where message_ref is not null;
create index inbound_mails_sender on inbound_mails (lower(sender), received_at);
create index inbound_mails_ticket on inbound_mails (ticket_id, received_at);
create index inbound_mails_way on inbound_mails (via, received_at);

create table sent_emails (
  id bigint generated always as identity primary key,
  ref text not null unique,
  outbox_message_id bigint not null,
  kind text not null,
  recipient text not null,
  client_id bigint references clients on delete cascade,
  ticket_id bigint references tickets on delete cascade,
  message_ids bigint[] default '{}' not null,
  bounced_at timestamptz,
  bounce_status text,
  bounce_reason text,
  created_at timestamptz default now() not null,
  delivered_at timestamptz,
  delayed_at timestamptz
);
create index sent_emails_client on sent_emails (client_id);
create index sent_emails_created on sent_emails (created_at) where ticket_id is null;
create index sent_emails_outbox_message_index on sent_emails (outbox_message_id);
create index sent_emails_recipient on sent_emails (lower(recipient), created_at);
create index sent_emails_ticket on sent_emails (ticket_id);

create table message_emails (
  message_id bigint primary key references ticket_messages on delete cascade,
  mail_id bigint references inbound_mails on delete set null,
  message_ref text,
  from_email text,
  from_name text,
  recipients jsonb default '{"cc": [], "to": []}' not null,
  subject text not null,
  quoted text default '' not null,
  html text,
  is_automatic boolean default false not null,
  linked_ticket_id bigint references tickets on delete set null,
  omitted jsonb default '[]' not null,
  forwarded_by jsonb
);
create index message_emails_linked on message_emails (linked_ticket_id) where linked_ticket_id is not null;
create index message_emails_mail on message_emails (mail_id);

create table undeliverable_addresses (
  email text not null,
  is_permanent boolean not null,
  bounces integer default 1 not null,
  status text,
  reason text not null,
  last_at timestamptz not null
);
create unique index undeliverable_addresses_email on undeliverable_addresses (lower(email));

create table mailboxes (
  id bigint generated always as identity primary key,
  name text not null unique,
  holder uuid,
  held_until timestamptz,
  looked_at timestamptz,
  mail_at timestamptz,
  unread_mails integer default 0 not null,
  oldest_unread_at timestamptz,
  failing_since timestamptz,
  last_error text,
  last_error_at timestamptz,
  created_at timestamptz default now() not null,
  last_error_code text,
  last_error_said text
);

create table mailbox_tokens (
  configured_sha256 text primary key,
  sealed_token text not null,
  replaced_at timestamptz not null,
  renewed_by uuid,
  renewing_until timestamptz
);

create table blocked_senders (
  id bigint generated always as identity primary key,
  sender varchar(255) not null check (sender = lower(sender) and sender like '%@%') unique,
  blocked_by bigint references staff on delete set null,
  created_at timestamptz not null
);
create index blocked_senders_staff_index on blocked_senders (blocked_by);

create table unconfirmed_tickets (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients on delete cascade,
  -- The address to which the request to confirm was e-mailed.
  email varchar(255) not null,
  department_id bigint not null references departments on delete cascade,
  subject varchar(255) not null,
  message text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index unconfirmed_tickets_client_index on unconfirmed_tickets (client_id);
create index unconfirmed_tickets_department_index on unconfirmed_tickets (department_id);
create index unconfirmed_tickets_expires_index on unconfirmed_tickets (expires_at);
