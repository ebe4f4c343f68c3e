create or replace function sum_up_when_due(number bigint) returns void language plpgsql as $$
begin
  if number / 512 % greatest(1, (pg_relation_size('ticket_counts') / 8192 - 32) / 8) = 0 then
    perform sum_up_ticket_counts();
  end if;
end
$$;
