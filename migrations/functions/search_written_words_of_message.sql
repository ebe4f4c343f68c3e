create or replace function search_written_words_of_message(p_id bigint) returns tsvector language plpgsql stable parallel safe strict cost 1000 set search_path to '$user', 'public' as $$
declare
  found_words tsvector;
begin
  select words into found_words from message_words where message_id = p_id;
  if found_words is null then
    select to_tsvector('search_simple', search_clean(message)) into found_words
      from ticket_messages where id = p_id and octet_length(message) < 100000;
  end if;
  return coalesce(found_words, search_words_of_message(p_id));
end
$$;
