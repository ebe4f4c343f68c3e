import { type Kysely, sql } from 'kysely'

/** Code from before knows nothing of these tables, and leaves them empty. */
export const oldestCode = '0022-desk-logo'

/**
 * Who listens, and who is at which ticket: what all processes have to know of one another. None of it outlives a crash of the database,
 * goes into a backup or to a standby, and it costs no write-ahead log.
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
  // In one trip: each statement of a function that waits for a lock sees what is there when it has got it.
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
