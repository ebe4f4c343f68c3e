import { type Kysely, sql } from 'kysely'

/** Older code does not know incoming mail, and backs its tables up like every table. */
export const oldestCode = '0028c-search-places'

/** Incoming e-mails, what is stored of each besides its message, and our e-mails that they may reply to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The raw message is a file in `ticket_attachments`. Unique columns detect duplicates: the same bytes, or the same Message-ID from the
  // same sender with the same date or the same body.
  await sql`
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
      state text not null default 'received'
        check (state in ('received', 'ticket', 'reply', 'held', 'bounce', 'dropped', 'refused')),
      reason text,
      attempts integer not null default 0,
      sender text,
      sender_name text,
      subject text,
      is_automatic boolean not null default false,
      client_id bigint references clients on delete cascade,
      ticket_id bigint references tickets on delete cascade,
      message_id bigint references ticket_messages on delete set null,
      received_at timestamptz not null default now(),
      settled_at timestamptz,
      check ((state = 'received') = (settled_at is null))
    )`.execute(db)
  await sql`create index inbound_mails_open on inbound_mails (received_at) where state in ('received', 'held')`.execute(
    db
  )
  await sql`create index inbound_mails_ref on inbound_mails (message_ref) where message_ref is not null`.execute(db)
  await sql`create index inbound_mails_sender on inbound_mails (lower(sender), received_at)`.execute(db)
  await sql`create index inbound_mails_ticket on inbound_mails (ticket_id, received_at)`.execute(db)
  await sql`create index inbound_mails_message on inbound_mails (message_id)`.execute(db)
  await sql`create index inbound_mails_client on inbound_mails (client_id)`.execute(db)
  await sql`create index inbound_mails_received on inbound_mails (received_at)`.execute(db)

  // The parts of a message from an e-mail besides its new text.
  await sql`
    create table message_emails (
      message_id bigint primary key references ticket_messages on delete cascade,
      mail_id bigint references inbound_mails on delete set null,
      message_ref text,
      from_email text,
      from_name text,
      recipients jsonb not null default '{"to": [], "cc": []}',
      subject text not null,
      quoted text not null default '',
      html text,
      is_automatic boolean not null default false,
      linked_ticket_id bigint references tickets on delete set null,
      omitted jsonb not null default '[]'
    )`.execute(db)
  await sql`create index message_emails_mail on message_emails (mail_id)`.execute(db)
  await sql`create index message_emails_linked on message_emails (linked_ticket_id) where linked_ticket_id is not null`.execute(
    db
  )

  // Sent e-mails by our part of their Message-ID, which replies and bounces name.
  await sql`
    create table sent_emails (
      id bigint generated always as identity primary key,
      ref text not null unique,
      letter_id bigint not null,
      kind text not null,
      recipient text not null,
      client_id bigint references clients on delete cascade,
      ticket_id bigint references tickets on delete cascade,
      message_ids bigint[] not null default '{}',
      bounced_at timestamptz,
      bounce_status text,
      bounce_reason text,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index sent_emails_ticket on sent_emails (ticket_id)`.execute(db)
  await sql`create index sent_emails_client on sent_emails (client_id)`.execute(db)
  await sql`create index sent_emails_created on sent_emails (created_at) where ticket_id is null`.execute(db)
  await sql`create index sent_emails_recipient on sent_emails (lower(recipient), created_at)`.execute(db)

  await sql`
    create table undeliverable_addresses (
      email text not null,
      is_permanent boolean not null,
      bounces integer not null default 1,
      status text,
      reason text not null,
      last_at timestamptz not null
    )`.execute(db)
  await sql`create unique index undeliverable_addresses_email on undeliverable_addresses (lower(email))`.execute(db)

  // The constraint is not validated yet, since checking every row would block writers. The next migration does that without blocking them.
  await sql`
    alter table ticket_attachments
      add mail_id bigint references inbound_mails on delete cascade,
      add content_id text,
      drop constraint ticket_attachments_owner,
      add constraint ticket_attachments_owner check (
        case when mail_id is not null then ticket_id is null and message_id is null and note_id is null
          when note_id is not null then ticket_id is null and message_id is null
          else ticket_id is not null end) not valid`.execute(db)
}
