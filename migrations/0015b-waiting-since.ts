import { type Kysely, sql } from 'kysely'

/**
 * Since when a ticket waits for staff: the moment at which its status last became one that does. Null where it has waited ever since
 * it was opened.
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
