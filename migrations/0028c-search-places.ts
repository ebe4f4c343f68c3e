import { type Kysely, sql } from 'kysely'

/** Code from before writes what the newer makes words of: until a process of the newer code runs, it does not find what was just written. */
export const oldestCode = '0022-desk-logo'

const tables = ['tickets', 'ticket_messages', 'ticket_notes']

/**
 * The words of tickets, messages and notes are made by a reader, not by who writes: of each table it is kept how far it has read.
 * Words of what is there already still follow each change at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Every id up to `seen_id` has words or stands in a gap: it was not to be seen yet, and may belong to somebody who has not committed.
  // Gaps grow old together: `turned_at` and `turned_xid` say when, and up to which transaction, the old ones are from before.
  await sql`
    create table search_places (
      name varchar(30) primary key,
      seen_id bigint not null,
      gaps int8multirange not null default '{}',
      old_gaps int8multirange not null default '{}',
      turned_at timestamptz not null default now(),
      turned_xid xid8
    )`.execute(db)
  for (const name of tables) {
    // Waits for who writes there: from here on all that has been written has words.
    await sql`drop trigger ${sql.ref(`${name}_words_in`)} on ${sql.table(name)}`.execute(db)
    await sql`insert into search_places (name, seen_id) select ${name}, coalesce(max(id), 0) from ${sql.table(name)}`.execute(
      db
    )
  }

  // Named like those that it has replaced.
  await sql`alter index tickets_of_client_index rename to tickets_client_activity_index`.execute(db)

  // Also of tickets that the reader has not come to, so that it finds them done and nobody's former name comes back with it.
  await sql`
    create or replace function keep_words_of_clients_tickets() returns trigger language plpgsql as $$
    begin
      insert into ticket_words
        select id, words_of_tickets(tickets), label_of_tickets(tickets) from tickets where client_id = new.id order by id
        on conflict (ticket_id) do update set words = excluded.words;
      return null;
    end $$`.execute(db)
}
