-- Files of a reply that was taken back are removed with its row; those of one that was sent are attachments by then.
create or replace function list_removed_reply_files() returns trigger language plpgsql as $$
begin
  insert into removed_files (file_path)
    select file->>'path' from deleted, jsonb_array_elements(deleted.files) as file
    where not exists (select from ticket_attachments where file_path = file->>'path')
    on conflict do nothing;
  return null;
end
$$;
