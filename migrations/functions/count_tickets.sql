create or replace function count_tickets() returns trigger language plpgsql as $$
begin
  if old.trashed_at is null and old.merged_into_id is null then
    insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
      values (old.department_id, old.status, old.assigned_staff_id, -1);
    if currval('ticket_counts_id_seq') % 512 = 0 then
      perform sum_up_when_due(currval('ticket_counts_id_seq'));
    end if;
  end if;
  if old.organisation_id is not null and old.trashed_at is null then
    insert into organisation_ticket_changes (organisation_id, tickets) values (old.organisation_id, -1);
  end if;
  return null;
end
$$;
