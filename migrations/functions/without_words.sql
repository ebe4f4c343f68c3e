create or replace function without_words(facts json) returns json language sql immutable as $$
select json_object_agg(key, value) from json_each(facts)
where json_typeof(value) in ('number', 'boolean', 'null') or key in ('status', 'priority', 'fields', 'by', 'mode', 'sender_type', 'received_at', 'organisation_role')
$$;
