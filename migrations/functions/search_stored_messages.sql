create or replace function search_stored_messages() returns trigger language plpgsql as $$
begin
  delete from searched_messages using stored where searched_messages.message_id = stored.message_id;
  insert into searched_messages select message_id from stored order by message_id;
  return null;
end
$$;
