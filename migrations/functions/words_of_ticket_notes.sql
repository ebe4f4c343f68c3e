create or replace function words_of_ticket_notes(p_row ticket_notes) returns tsvector language plpgsql stable as $$
begin
  return search_words(search_language(), p_row.note, 'D');
end
$$;
