import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/**
 * Side conversations: what staff and a third party write to each other about a ticket. In tables of their own, so that nothing that clients read
 * ever finds them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table side_conversations (
      id bigint generated always as identity primary key,
      ticket_id bigint not null references tickets on delete cascade,
      subject varchar(255) not null check (subject <> ''),
      -- Made into the Message-IDs of its e-mails, which nobody else can guess.
      thread_id text not null,
      -- Closing the ticket waits for the answer.
      waits boolean not null,
      is_closed boolean default false not null,
      -- Whether a third party wrote last.
      is_answered boolean default false not null,
      started_by bigint references staff on delete set null,
      -- The messages of the ticket that went along at the beginning.
      message_ids bigint[] default '{}' not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index side_conversations_ticket_index on side_conversations (ticket_id, id)`.execute(db)
  await sql`create index side_conversations_starter_index on side_conversations (started_by)`.execute(db)
  await sql`
    create table side_participants (
      id bigint generated always as identity primary key,
      conversation_id bigint not null references side_conversations on delete cascade,
      email varchar(255) not null,
      name varchar(255) default '' not null,
      -- new: wrote without having been asked.
      role text not null check (role in ('to', 'cc', 'new')),
      created_at timestamptz not null
    )`.execute(db)
  await sql`create unique index side_participants_address_index on side_participants (conversation_id, lower(email))`.execute(
    db
  )
  await sql`create index side_participants_email_index on side_participants (lower(email))`.execute(db)
  await sql`
    create table side_messages (
      id bigint generated always as identity primary key,
      conversation_id bigint not null references side_conversations on delete cascade,
      -- Null: a third party wrote it, or somebody who was deleted since.
      staff_id bigint references staff on delete set null,
      sender_name varchar(255) not null,
      -- Of the third party; null for staff.
      sender_email varchar(255),
      message text not null,
      formatted_html text,
      -- Of an e-mail that came in: the text that it quotes, and its sanitised HTML.
      quoted text default '' not null,
      email_html text,
      is_automatic boolean default false not null,
      -- The messages of the ticket that went along, as they were sent, and the files.
      forwarded jsonb default '[]' not null,
      forwarded_files bigint[] default '{}' not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index side_messages_conversation_index on side_messages (conversation_id, id)`.execute(db)
  await sql`create index side_messages_staff_index on side_messages (staff_id)`.execute(db)

  await sql`alter table ticket_reads add column side_message_id bigint`.execute(db)
  for (const table of ['ticket_attachments', 'inbound_mails', 'sent_emails'])
    await sql`alter table ${sql.table(table)} add column side_message_id bigint`.execute(db)
  // Checked of what is there by the next migration, beside running requests.
  await sql`alter table ticket_attachments drop constraint ticket_attachments_check`.execute(db)
  await sql`
    alter table ticket_attachments add constraint ticket_attachments_check check (case
      when mail_id is not null then ticket_id is null and message_id is null and note_id is null and side_message_id is null
      when side_message_id is not null then ticket_id is null and message_id is null and note_id is null
      when note_id is not null then ticket_id is null and message_id is null
      else ticket_id is not null end) not valid`.execute(db)
  for (const table of ['ticket_attachments', 'inbound_mails', 'sent_emails'])
    await sql`
      alter table ${sql.table(table)} add constraint ${sql.ref(`${table}_side_message_id_fkey`)}
      foreign key (side_message_id) references side_messages on delete cascade not valid`.execute(db)
}
