create or replace function words_of_ticket_messages(p_row ticket_messages) returns tsvector language plpgsql stable as $$
begin
  return search_words(search_language(), p_row.message, 'D');
end
$$;
