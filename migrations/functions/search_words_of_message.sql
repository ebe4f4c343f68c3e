create or replace function search_words_of_message(p_id bigint) returns tsvector language plpgsql immutable parallel safe strict cost 2000 set search_path to '$user', 'public' as $$
declare
  found_words tsvector;
begin
  select words into found_words from message_words where message_id = p_id;
  if found_words is null then
    select words_of_ticket_messages(ticket_messages) into found_words from ticket_messages where id = p_id;
  end if;
  return coalesce(found_words, '');
end
$$;
