-- Ends the snooze of a ticket; a row tells what it was, as events record it. A function looks at the rows as they are now: a statement that waited for the
-- ticket while somebody snoozed it sees the rows of before its wait, and would leave the ticket asleep.
create or replace function wake_ticket(woken bigint) returns setof json language plpgsql rows 1 as $$
begin
  return query
    with ended as (delete from snoozes where ticket_id = woken returning until, until_reply, kind, reason, staff_id, woken_at)
    select json_build_object(
      'until', to_char(ended.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'until_reply', ended.until_reply, 'kind', ended.kind, 'reason', ended.reason, 'staff_id', ended.staff_id)
    from ended where ended.woken_at is null;
end
$$;
