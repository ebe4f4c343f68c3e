create or replace function scrub_events_of_tickets() returns trigger language plpgsql as $$
begin
  update events set
    client_id = gone.client_id,
    audited = null,
    before = without_words(before),
    after = without_words(after),
    actor_name = case actor_type when 'client' then 'Client' else actor_name end,
    ip_address = case actor_type when 'client' then null else ip_address end,
    request_id = case actor_type when 'client' then null else request_id end
  from gone where events.ticket_id = gone.id;
  return null;
end
$$;
