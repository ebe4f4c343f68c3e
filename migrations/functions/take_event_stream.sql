create or replace function take_event_stream(stream uuid, process uuid, who varchar, account bigint, most integer, gone interval) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('event stream ' || who || ' ' || account, 0));
  insert into event_streams (id, process_id, population, account_id)
  select stream, process, who, account
  where most > (
    select count(*) from event_streams join stream_processes on stream_processes.id = process_id
    where population = who and account_id = account and seen_at > now() - gone);
  return found;
end
$$;
