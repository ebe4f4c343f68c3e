-- Those of a ticket's values that lists are filtered by: of all kinds but long texts.
create or replace function short_field_values(given jsonb) returns jsonb language sql stable as $$
  select jsonb_object_agg(each.key, each.value) from jsonb_each(given) as each join fields on each.key = 'f' || fields.id where kind <> 'long_text'
$$;
create or replace function copy_field_values() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update tickets set field_values = null where id = old.ticket_id and field_values is not null;
  else
    update tickets set field_values = short_field_values(new.values)
      where id = new.ticket_id and field_values is distinct from short_field_values(new.values);
  end if;
  return null;
end
$$;
