create or replace function words_of_clients(p_row clients) returns client_words language plpgsql stable as $$
begin
  return row(
    p_row.id,
    setweight(search_words(concat_ws(' ', p_row.first_name, p_row.last_name, p_row.email, p_row.company_name)), 'A'),
    search_fold(concat(p_row.first_name, ' ', p_row.last_name, E'\n', p_row.email))
  );
end
$$;
