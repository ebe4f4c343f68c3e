import { type Kysely, sql } from 'kysely'

/** Older code does not know these tables, and leaves them empty. */
export const oldestCode = '0022-desk-logo'

/**
 * The open event streams and the presence at tickets of all processes. The tables are unlogged: they are empty after a crash of the
 * database, not in backups or on standbys, and need no write-ahead log.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table stream_processes (
      id uuid primary key,
      seen_at timestamptz not null
    )`.execute(db)
  await sql`
    create unlogged table event_streams (
      id uuid primary key,
      process_id uuid not null references stream_processes (id) on delete cascade,
      population varchar(10) not null,
      account_id bigint not null
    )`.execute(db)
  await sql`create index event_streams_account_index on event_streams (account_id, population)`.execute(db)
  await sql`create index event_streams_process_index on event_streams (process_id)`.execute(db)
  // One round trip: in a function, a statement after the one that waited for the lock sees what was committed meanwhile.
  await sql`
    create function take_event_stream(stream uuid, process uuid, who varchar, account bigint, most integer, gone interval)
    returns boolean language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended('event stream ' || who || ' ' || account, 0));
        insert into event_streams (id, process_id, population, account_id)
        select stream, process, who, account
        where most > (
          select count(*) from event_streams join stream_processes on stream_processes.id = process_id
          where population = who and account_id = account and seen_at > now() - gone);
        return found;
      end $$`.execute(db)
  await sql`
    create unlogged table presences (
      ticket_id bigint not null,
      staff_id bigint not null,
      state varchar(20) not null,
      since timestamptz not null,
      said_at timestamptz not null,
      primary key (staff_id, ticket_id)
    )`.execute(db)
}
