create or replace function keep_words_of_clients_tickets() returns trigger language plpgsql as $$
begin
  insert into ticket_words
    select id, words_of_tickets(tickets), label_of_tickets(tickets) from tickets where client_id = new.id order by id
    on conflict (ticket_id) do update set words = excluded.words;
  return null;
end
$$;
