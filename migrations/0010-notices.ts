import { type Kysely, sql } from 'kysely'

/** E-mail notifications about tickets: which events were processed, the thread of a ticket's e-mails, and who wants which of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket_events add told_at timestamptz`.execute(db)
  // Earlier events cause no notifications.
  await sql`update ticket_events set told_at = created_at`.execute(db)
  await sql`create index ticket_events_untold_index on ticket_events (created_at, ticket_id) where told_at is null`.execute(
    db
  )

  // The id is random, so that nobody outside can send an e-mail that mail programs show in the thread of a ticket.
  await sql`alter table tickets add thread_id uuid not null default gen_random_uuid()`.execute(db)

  await sql`
    alter table clients
      add ticket_letters boolean not null default true,
      add unproven_letters integer not null default 0`.execute(db)
  await sql`
    alter table staff
      add assignment_letters boolean not null default true,
      add mention_letters boolean not null default true,
      add customer_reply_letters boolean not null default true`.execute(db)
}
