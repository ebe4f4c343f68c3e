create or replace function label_of_clients(p_row clients) returns text language plpgsql stable as $$
begin
  return search_fold(p_row.first_name || ' ' || p_row.last_name || E'
' || p_row.email);
end
$$;
