import { type Kysely, sql } from 'kysely'

/** Older code still writes tickets and messages, but only newer code indexes them: until a process with it runs, the newest are not found. */
export const oldestCode = '0022-desk-logo'

const tables = ['tickets', 'ticket_messages', 'ticket_notes']

/**
 * A background reader makes the words of tickets, messages and notes, not their writer; for each table it stores how far it has read.
 * Words that exist already are still updated with each change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Every id up to `seen_id` has words or is in a gap: it was not visible yet, and may belong to a transaction that has not committed.
  // Gaps become old together: `old_gaps` are from before the time `turned_at` and the transaction `turned_xid`.
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
    // This waits for all writers of the table, so that every row written until now has words.
    await sql`drop trigger ${sql.ref(`${name}_words_in`)} on ${sql.table(name)}`.execute(db)
    await sql`insert into search_places (name, seen_id) select ${name}, coalesce(max(id), 0) from ${sql.table(name)}`.execute(
      db
    )
  }

  // The index is named like those that it has replaced.
  await sql`alter index tickets_of_client_index rename to tickets_client_activity_index`.execute(db)

  // This includes tickets that the reader has not reached yet, so that it skips them and a former name of their client does not return.
  await sql`
    create or replace function keep_words_of_clients_tickets() returns trigger language plpgsql as $$
    begin
      insert into ticket_words
        select id, words_of_tickets(tickets), label_of_tickets(tickets) from tickets where client_id = new.id order by id
        on conflict (ticket_id) do update set words = excluded.words;
      return null;
    end $$`.execute(db)
}
