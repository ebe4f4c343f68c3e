create or replace function search_language() returns text language plpgsql stable parallel safe as $$
begin
  return coalesce((select language from search_state), 'english');
end
$$;
