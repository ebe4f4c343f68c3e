create or replace function keep_words_of_tickets() returns trigger language plpgsql as $$
begin
  insert into ticket_words select * from words_of_tickets(new)
    on conflict (ticket_id) do update set words = excluded.words, label = excluded.label;
  return null;
end
$$;
