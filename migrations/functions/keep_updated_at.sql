create or replace function keep_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at;
  return new;
end
$$;
