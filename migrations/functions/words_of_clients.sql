create or replace function words_of_clients(p_row clients) returns tsvector language plpgsql stable as $$
begin
  return search_words('simple', concat_ws(' ', p_row.first_name, p_row.last_name, p_row.email, p_row.company_name), 'A');
end
$$;
