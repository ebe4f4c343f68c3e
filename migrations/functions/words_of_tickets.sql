create or replace function words_of_tickets(p_row tickets) returns tsvector language plpgsql stable as $$
begin
  return search_words(search_language(), p_row.ticket_number || ' ' || p_row.subject, 'A') || (
  select search_words('simple', concat_ws(' ', first_name, last_name, email, company_name), 'B')
  from clients where clients.id = p_row.client_id);
end
$$;
