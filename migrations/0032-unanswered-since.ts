import { type Kysely, sql } from 'kysely'

/**
 * Older code does not maintain the new columns: after a message of its own, `unanswered_of` differs from the number of messages, and the
 * thread is read instead.
 */
export const oldestCode = '0022-desk-logo'

/** A ticket's row has the time since which its client waits for an answer; and one trigger does what three did at each change of a ticket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `unanswered_since` is valid as long as the ticket has `unanswered_of` messages.
  await sql`alter table tickets add unanswered_since timestamptz, add unanswered_of integer`.execute(db)

  // The condition of a trigger is parsed anew for each statement; within a function it is planned once per connection. Storing
  // `unanswered_of` for an unchanged thread is no change of the ticket.
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

  // A background rewrite fills the columns of open tickets, batch by batch.
  await sql`insert into rewrites (name, up_to) select 'unanswered-tickets', max(id) from tickets having max(id) is not null`.execute(
    db
  )
}
