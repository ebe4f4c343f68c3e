-- In how many published texts each word is: suggestions look for the rarest.
create or replace function count_words_of_kb_texts() returns trigger language plpgsql as $$
declare
  former text[] := case when tg_op = 'INSERT' then '{}' else coalesce(tsvector_to_array(old.words), '{}') end;
  present text[] := case when tg_op = 'DELETE' then '{}' else coalesce(tsvector_to_array(new.words), '{}') end;
begin
  if former = present then
    return null;
  end if;
  insert into kb_words
    select word, 1 from (select unnest(present) as word except select unnest(former)) as added order by word
    on conflict (word) do update set texts = kb_words.texts + 1;
  update kb_words set texts = texts - 1
    where word in (select unnest(former) except select unnest(present));
  delete from kb_words where texts <= 0 and word = any(former);
  return null;
end
$$;
