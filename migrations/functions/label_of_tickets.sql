create or replace function label_of_tickets(p_row tickets) returns text language plpgsql stable as $$
begin
  return search_fold(p_row.ticket_number || E'
' || p_row.subject);
end
$$;
