-- With the words of its client, which stand beside the client already, so that "ada printer" finds the ticket.
create or replace function words_of_tickets(p_row tickets) returns ticket_words language plpgsql stable as $$
begin
  return row(
    p_row.id,
    setweight(search_words(p_row.ticket_number || ' ' || p_row.subject), 'A')
      || coalesce((select setweight(words, 'B') from client_words where client_id = p_row.client_id), ''),
    search_fold(p_row.ticket_number || E'\n' || p_row.subject)
  );
end
$$;
