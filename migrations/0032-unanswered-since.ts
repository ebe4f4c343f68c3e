import { type Kysely, sql } from 'kysely'

/**
 * Code from before does not keep what is added here: after a message of theirs, `unanswered_of` is no longer the number of messages,
 * and the thread is asked.
 */
export const oldestCode = '0022-desk-logo'

/** The row of a ticket tells since when its client waits for an answer; and one trigger does what three did with each change of a ticket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `unanswered_since` holds as long as the ticket has as many messages as `unanswered_of` says.
  await sql`alter table tickets add unanswered_since timestamptz, add unanswered_of integer`.execute(db)

  // What a condition of a trigger says is parsed anew with each statement; here it is planned once a connection. What is noted of a
  // thread that has not changed is no change of the ticket.
  await sql`
    create or replace function raise_ticket_version() returns trigger language plpgsql as $$
    begin
      if new.unanswered_of is distinct from old.unanswered_of and new.message_count = old.message_count
        and new.updated_at = old.updated_at then
        return new;
      end if;
      new.version := old.version + 1;
      if new.updated_at < old.updated_at then
        new.updated_at := old.updated_at;
      end if;
      if new.status <> old.status then
        new.closed_at := case when new.status = 'Closed' then new.updated_at end;
        if old.status in ('Answered', 'Closed') and new.status in ('Open', 'In Progress', 'Customer-Reply') then
          new.waiting_since := new.updated_at;
        end if;
      end if;
      return new;
    end $$`.execute(db)
  await sql`drop trigger tickets_keep_time on tickets`.execute(db)
  await sql`drop trigger tickets_waiting_since on tickets`.execute(db)
  await sql`drop function keep_waiting_since()`.execute(db)

  // Those that are open are gone through, batch by batch, while others work.
  await sql`insert into rewrites (name, up_to) select 'unanswered-tickets', max(id) from tickets having max(id) is not null`.execute(
    db
  )
}
