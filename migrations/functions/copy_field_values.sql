-- Those of a ticket's values that lists are filtered by: of all kinds but long texts.
create or replace function short_field_values(given jsonb) returns jsonb language sql stable as $$
  select jsonb_object_agg(each.key, each.value) from jsonb_each(given) as each join fields on each.key = 'f' || fields.id where kind <> 'long_text'
$$;
create or replace function copy_field_values() returns trigger language plpgsql as $$
declare
  ticket bigint := case tg_op when 'DELETE' then old.ticket_id else new.ticket_id end;
  short jsonb := case tg_op when 'DELETE' then null else short_field_values(new.values) end;
begin
  update tickets set field_values = short where id = ticket and field_values is distinct from short;
  return null;
end
$$;
