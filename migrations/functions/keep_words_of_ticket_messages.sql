create or replace function keep_words_of_ticket_messages() returns trigger language plpgsql as $$
begin
  insert into "message_words" values (new.id, "words_of_ticket_messages"(new))
    on conflict ("message_id") do update set words = excluded.words;
  return null;
end
$$;
