create or replace function keep_words_of_ticket_notes() returns trigger language plpgsql as $$
begin
  insert into "note_words" values (new.id, "words_of_ticket_notes"(new))
    on conflict ("note_id") do update set words = excluded.words;
  return null;
end
$$;
