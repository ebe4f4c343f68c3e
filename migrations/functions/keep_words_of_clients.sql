create or replace function keep_words_of_clients() returns trigger language plpgsql as $$
begin
  insert into client_words select * from words_of_clients(new)
    on conflict (client_id) do update set words = excluded.words, label = excluded.label;
  return null;
end
$$;
