-- In lower case, without accents, and with one spelling of umlauts.
create or replace function search_fold(content text) returns text language plpgsql immutable parallel safe strict as $$
begin
  if octet_length(content) = length(content) then
    return search_spelling(lower(content));
  end if;
  return search_spelling(lower(unaccent(normalize(content, NFC))));
end
$$;
