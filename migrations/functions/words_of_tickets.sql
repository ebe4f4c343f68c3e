-- With the names of its client, so that "ada printer" finds the ticket.
create or replace function words_of_tickets(p_row tickets) returns ticket_words language plpgsql stable as $$
declare
  client clients;
begin
  select * into client from clients where id = p_row.client_id;
  return row(
    p_row.id,
    setweight(search_words(p_row.ticket_number || ' ' || p_row.subject), 'A')
      || setweight((words_of_clients(client)).words, 'B'),
    search_fold(p_row.ticket_number || E'\n' || p_row.subject)
  );
end
$$;
