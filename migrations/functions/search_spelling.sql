-- Umlauts have two spellings, ü and ue. Without accents, and without an e behind a, o and u, both are the same. So are a few words that are not: a
-- search for "due" also finds "du".
create or replace function search_spelling(content text) returns text language plpgsql immutable parallel safe strict as $$
begin
  return replace(replace(replace(content, 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
end
$$;
