create or replace function keep_words_of_clients_tickets() returns trigger language plpgsql as $$
begin
  insert into ticket_words select made.* from tickets cross join lateral words_of_tickets(tickets) as made
    where tickets.client_id = new.id order by tickets.id
    on conflict (ticket_id) do update set words = excluded.words;
  return null;
end
$$;
