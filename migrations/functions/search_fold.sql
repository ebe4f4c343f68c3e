create or replace function search_fold(content text) returns text language plpgsql immutable parallel safe strict as $$
begin
  return lower(unaccent(normalize(content, NFC)));
end
$$;
