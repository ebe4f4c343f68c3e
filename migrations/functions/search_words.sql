-- Each word as it is written, with its places, and its stem. A text with more words than a tsvector can have is cut until they fit. Declared as
-- immutable although it depends on the language: who changes that makes all words anew (src/tickets/search/rebuild.ts).
create or replace function search_words(content text) returns tsvector
language plpgsql immutable parallel safe strict set search_path from current as $$
declare
  cleaned text := search_clean(content);
begin
  loop
    begin
      return to_tsvector('simple', search_fold(cleaned)) || search_stems(cleaned);
    exception when program_limit_exceeded then
      cleaned := left(cleaned, length(cleaned) / 2);
    end;
  end loop;
end
$$;
