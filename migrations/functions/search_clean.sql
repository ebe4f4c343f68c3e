create or replace function search_clean(content text) returns text language plpgsql immutable parallel safe strict as $$
begin
  return replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(case when octet_length(content) = length(content) then content else normalize(content, NFC) end, '.', ' '), '-', ' '), '+', ' '), '_', ' '), '@', ' '), '/', ' '), ':', ' '), '&', ' '), '<', ' '), '~', ' '), '⟦', ' '), '⟧', ' ');
end
$$;
