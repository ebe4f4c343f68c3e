create or replace function search_common(name text, beginnings text[]) returns tsquery language plpgsql stable parallel safe as $$
begin
  if (select reltuples from pg_class where oid = name::regclass) < 100000 then
    return null;
  end if;
  return (
    select string_agg(distinct quote_literal(word), ' | ')::tsquery
    from pg_stats, unnest(most_common_elems::text::text[]) as word, unnest(beginnings) as beginning
    where schemaname = current_schema and starts_with(word, beginning) and word ~ '^\w+$'
      and (tablename = name and attname = 'words'
        or name = 'searched_messages' and tablename = 'searched_messages_index' and attname = 'search_words_of_message'));
end
$$;
