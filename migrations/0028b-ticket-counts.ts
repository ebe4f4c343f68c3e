import { type Kysely, sql } from 'kysely'

export const oldestCode = '0022-desk-logo'

/** Counts a ticket in one statement instead of two, since every new ticket and every change of a status waits for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function count_tickets() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
          select * from (values (old.department_id, old.status, old.assigned_staff_id, -1)) as former
            where old.trashed_at is null and old.merged_into_id is null
          union all
          select * from (values (new.department_id, new.status, new.assigned_staff_id, 1)) as changed
            where new.trashed_at is null and new.merged_into_id is null;
      elsif tg_op = 'INSERT' then
        if new.trashed_at is null and new.merged_into_id is null then
          insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
            values (new.department_id, new.status, new.assigned_staff_id, 1);
        end if;
      elsif old.trashed_at is null and old.merged_into_id is null then
        insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
          values (old.department_id, old.status, old.assigned_staff_id, -1);
      end if;
      return null;
    end $$`.execute(db)
  await sql`drop function count_ticket(tickets, integer)`.execute(db)
}
