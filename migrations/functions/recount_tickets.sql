create or replace function recount_tickets() returns void language plpgsql as $$
begin
  lock table tickets in share row exclusive mode;
  delete from ticket_counts;
  insert into ticket_counts (department_id, status, assigned_staff_id, tickets, is_sum)
    select department_id, status, assigned_staff_id, count(*), true from tickets
    where trashed_at is null and merged_into_id is null group by department_id, status, assigned_staff_id;
end
$$;
