import { type Kysely, sql } from 'kysely'

/**
 * The number of tickets that are neither in the trash nor merged, by department, status and assignee: rows with sums, and rows with
 * changes that are not summed up yet. Each change is a row of its own, in the transaction that changes the ticket, so that no writer
 * waits for another. Readers add all rows up.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // This index was only used for counting.
  await sql`drop index tickets_open_index`.execute(db)

  // There are no foreign keys: rows of a deleted department or member of staff add up to zero, and go when they are summed up.
  await sql`
    create table ticket_counts (
      id bigint generated always as identity primary key,
      department_id bigint not null,
      status text not null,
      assigned_staff_id bigint,
      tickets integer not null,
      is_sum boolean not null default false
    )`.execute(db)

  // One transaction at a time sums up; others skip it instead of waiting. Changes that are not committed yet are left for the next time.
  await sql`
    create function sum_up_ticket_counts() returns void language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock(hashtext('deskline ticket counts')) then
        return;
      end if;
      with taken as (delete from ticket_counts returning department_id, status, assigned_staff_id, tickets)
        insert into ticket_counts (department_id, status, assigned_staff_id, tickets, is_sum)
        select department_id, status, assigned_staff_id, sum(tickets), true from taken
          group by department_id, status, assigned_staff_id having sum(tickets) <> 0;
    end $$`.execute(db)
  // Every 512th row causes it, which takes a millisecond or two and needs no worker. It runs at the end of the transaction and only
  // once: if the row is gone, it has been summed up already.
  await sql`
    create function sum_up_when_due() returns trigger language plpgsql as $$
    begin
      if exists (select from ticket_counts where id = new.id) then
        perform sum_up_ticket_counts();
      end if;
      return null;
    end $$`.execute(db)
  await sql`create constraint trigger ticket_counts_due after insert on ticket_counts deferrable initially deferred
    for each row when (new.id % 512 = 0 and not new.is_sum) execute function sum_up_when_due()`.execute(db)

  await sql`
    create function count_ticket(ticket tickets, change integer) returns void language plpgsql as $$
    begin
      if ticket.trashed_at is null and ticket.merged_into_id is null then
        insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
          values (ticket.department_id, ticket.status, ticket.assigned_staff_id, change);
      end if;
    end $$`.execute(db)
  await sql`
    create function count_tickets() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        perform count_ticket(old, -1);
      end if;
      if tg_op <> 'DELETE' then
        perform count_ticket(new, 1);
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger tickets_counted after insert or delete on tickets
    for each row execute function count_tickets()`.execute(db)
  await sql`create trigger tickets_counted_anew after update on tickets
    for each row when (
      (old.department_id, old.status, old.assigned_staff_id, old.merged_into_id is null, old.trashed_at is null)
      is distinct from
      (new.department_id, new.status, new.assigned_staff_id, new.merged_into_id is null, new.trashed_at is null))
    execute function count_tickets()`.execute(db)

  // Counts anew, after rows were inserted with triggers disabled. Its lock waits for all writers of tickets, and they wait for it.
  await sql`
    create function recount_tickets() returns void language plpgsql as $$
    begin
      lock table tickets in share row exclusive mode;
      delete from ticket_counts;
      insert into ticket_counts (department_id, status, assigned_staff_id, tickets, is_sum)
        select department_id, status, assigned_staff_id, count(*), true from tickets
        where trashed_at is null and merged_into_id is null group by department_id, status, assigned_staff_id;
    end $$`.execute(db)
  await sql`select recount_tickets()`.execute(db)
}
