import { type Kysely, sql } from 'kysely'

/**
 * The time since which a ticket waits for staff: when its status last changed to one that waits for them. Null if it has waited since it
 * was opened.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tickets add waiting_since timestamptz`.execute(db)
  await sql`
    create function keep_waiting_since() returns trigger language plpgsql as $$
    begin
      new.waiting_since := new.updated_at;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger tickets_waiting_since before update of status on tickets for each row
      when (new.status in ('Open', 'In Progress', 'Customer-Reply') and old.status in ('Answered', 'Closed'))
      execute function keep_waiting_since()`.execute(db)
}
