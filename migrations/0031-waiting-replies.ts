import { type Kysely, sql } from 'kysely'
import { createFunctions } from './run-sql.ts'

/** Older code sends no reply that waits: it goes when newer code runs again. */
export const oldestCode = '0002-search'

/** Replies that their writer may still take back, and the recipients who were chosen for a reply. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table waiting_replies (
      -- That the message will have.
      message_id bigint primary key,
      ticket_id bigint not null references tickets on delete cascade,
      staff_id bigint not null references staff on delete cascade,
      state text default 'waiting' not null check (state in ('waiting', 'stopped', 'undone')),
      sends_at timestamptz not null,
      message text not null,
      -- Null: plain.
      format text check (format in ('plain', 'markdown')),
      status text not null,
      force_close boolean not null,
      -- That is applied with the reply.
      macro_id bigint,
      recipients jsonb,
      -- As they are stored already.
      files jsonb default '[]' not null,
      ip_address text,
      request_id text,
      stopped_reason text,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index waiting_replies_sends_index on waiting_replies (sends_at) where state = 'waiting'`.execute(db)
  await sql`create index waiting_replies_ticket_index on waiting_replies (ticket_id)`.execute(db)
  await sql`create index waiting_replies_staff_index on waiting_replies (staff_id)`.execute(db)
  await createFunctions(db, ['list_removed_reply_files'])
  await sql`create trigger waiting_replies_files after delete on waiting_replies
    referencing old table as deleted for each statement execute function list_removed_reply_files()`.execute(db)
  await sql`
    create table reply_recipients (
      message_id bigint primary key references ticket_messages on delete cascade,
      recipients jsonb not null,
      created_at timestamptz not null
    )`.execute(db)
}
