create or replace function maintain_ticket() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.trashed_at is null and new.merged_into_id is null then
      insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
        values (new.department_id, new.status, new.assigned_staff_id, 1);
      if currval('ticket_counts_id_seq') % 512 = 0 then
        perform sum_up_when_due(currval('ticket_counts_id_seq'));
      end if;
    end if;
    if new.organisation_id is not null and new.trashed_at is null then
      insert into organisation_ticket_changes (organisation_id, tickets) values (new.organisation_id, 1);
    end if;
    return new;
  end if;

  if new.organisation_id is distinct from old.organisation_id
    or (new.trashed_at is null) <> (old.trashed_at is null) then
    insert into organisation_ticket_changes (organisation_id, tickets)
      select old.organisation_id, -1 where old.organisation_id is not null and old.trashed_at is null
      union all
      select new.organisation_id, 1 where new.organisation_id is not null and new.trashed_at is null;
    -- A merge of organisations moves tickets, which is no change of the ticket.
    if new.organisation_id is distinct from old.organisation_id and new.updated_at = old.updated_at
      and new.status = old.status and new.message_count = old.message_count then
      return new;
    end if;
  end if;

  -- What is written down of a thread that has not changed, or of its custom fields, is no change of the ticket.
  if (new.unanswered_of is distinct from old.unanswered_of or new.field_values is distinct from old.field_values)
    and new.message_count = old.message_count
    and new.updated_at = old.updated_at and new.status = old.status and new.department_id = old.department_id
    and new.assigned_staff_id is not distinct from old.assigned_staff_id
    and new.merged_into_id is not distinct from old.merged_into_id
    and new.trashed_at is not distinct from old.trashed_at then
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
  if new.status <> old.status or new.department_id <> old.department_id
    or new.assigned_staff_id is distinct from old.assigned_staff_id
    or (new.merged_into_id is null) <> (old.merged_into_id is null)
    or (new.trashed_at is null) <> (old.trashed_at is null) then
    insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
      select * from (values (old.department_id, old.status, old.assigned_staff_id, -1)) as former
        where old.trashed_at is null and old.merged_into_id is null
      union all
      select * from (values (new.department_id, new.status, new.assigned_staff_id, 1)) as changed
        where new.trashed_at is null and new.merged_into_id is null;
    -- Two rows at once: the number may have been drawn by the one before.
    if found and currval('ticket_counts_id_seq') % 512 < 2 then
      perform sum_up_when_due(currval('ticket_counts_id_seq'));
    end if;
  end if;
  return new;
end
$$;
