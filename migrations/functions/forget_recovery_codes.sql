create or replace function forget_recovery_codes() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'clients' then
    delete from recovery_codes where client_id = new.id;
  else
    delete from recovery_codes where staff_id = new.id;
  end if;
  return null;
end
$$;
