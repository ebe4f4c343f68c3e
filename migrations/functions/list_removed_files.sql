create or replace function list_removed_files() returns trigger language plpgsql as $$
begin
  insert into removed_files (file_path) select file_path from deleted on conflict do nothing;
  return null;
end
$$;
