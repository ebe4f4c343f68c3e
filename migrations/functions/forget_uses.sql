-- Forgets what a deleted definition used; its kind is the argument.
create or replace function forget_uses() returns trigger language plpgsql as $$
begin
  delete from definition_uses where by_kind = tg_argv[0] and by_id = old.id;
  return null;
end
$$;
