import { type Kysely, sql } from 'kysely'

/**
 * Since when a ticket waits for staff: the moment at which its status last became one that does. Null where it has waited ever since
 * it was opened. The longest waiting that nobody has is the first of an index.
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
  await sql`
    create index tickets_waiting_index on tickets (coalesce(waiting_since, created_at), id, department_id)
      where assigned_staff_id is null and merged_into_id is null and trashed_at is null
        and status in ('Open', 'In Progress', 'Customer-Reply')`.execute(db)
}
