import { type Kysely, sql } from 'kysely'

export const oldestCode = '0020-schema-compatibility'

/**
 * While a snapshot is open, as during a backup, deleted rows cannot be vacuumed, and every reader skips them. So only the sums that have
 * changed are rewritten, and less often the larger the table is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function sum_up_ticket_counts() returns void language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock(hashtext('deskline ticket counts')) then
        return;
      end if;
      with changed as (
          select distinct department_id, status, coalesce(assigned_staff_id, 0) as assignee from ticket_counts where not is_sum),
        taken as (
          delete from ticket_counts using changed
          where ticket_counts.department_id = changed.department_id and ticket_counts.status = changed.status
            and coalesce(ticket_counts.assigned_staff_id, 0) = changed.assignee
          returning ticket_counts.department_id, ticket_counts.status, ticket_counts.assigned_staff_id, ticket_counts.tickets)
        insert into ticket_counts (department_id, status, assigned_staff_id, tickets, is_sum)
        select department_id, status, assigned_staff_id, sum(tickets), true from taken
          group by department_id, status, assigned_staff_id having sum(tickets) <> 0;
    end $$`.execute(db)

  // Every 512th row up to 40 pages, which sums, changes and rows not vacuumed yet usually take; above that ever less often.
  await sql`
    create or replace function sum_up_when_due() returns trigger language plpgsql as $$
    declare
      pages bigint := pg_relation_size('ticket_counts') / 8192;
    begin
      if new.id / 512 % greatest(1, (pages - 32) / 8) = 0 and exists (select from ticket_counts where id = new.id) then
        perform sum_up_ticket_counts();
      end if;
      return null;
    end $$`.execute(db)
}
