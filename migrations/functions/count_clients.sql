create or replace function count_clients() returns trigger language plpgsql as $$
declare
  change bigint;
begin
  if tg_op = 'INSERT' then
    select count(*) into change from changed;
  else
    select -count(*) into change from changed;
  end if;
  update client_counts set clients = clients + change where shard = pg_backend_pid() % 16;
  return null;
end
$$;
