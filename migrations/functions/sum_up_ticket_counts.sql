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
end
$$;
