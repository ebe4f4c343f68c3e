import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/**
 * Followers, who get the answers of a ticket besides its client, and the delivery state of each e-mail. Older code sends followers nothing,
 * and leaves the new columns empty.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The row of a former follower stays, so that a mail that names them again does not add them.
  await sql`
    create table ticket_followers (
      id bigint generated always as identity primary key,
      ticket_id bigint not null references tickets on delete cascade,
      email text not null,
      name text not null default '',
      added_by text not null check (added_by in ('client', 'follower', 'staff')),
      ended_by text check (ended_by in ('client', 'follower', 'staff')),
      ended_at timestamptz,
      created_at timestamptz not null default now(),
      check ((ended_by is null) = (ended_at is null))
    )`.execute(db)
  await sql`create unique index ticket_followers_email on ticket_followers (ticket_id, lower(email))`.execute(db)
  await sql`create index ticket_followers_person on ticket_followers (lower(email))`.execute(db)

  await sql`alter table sent_emails add delivered_at timestamptz, add delayed_at timestamptz`.execute(db)
}
