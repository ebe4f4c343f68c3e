-- The words of what is published, those of the title before the others.
create or replace function keep_words_of_kb_texts() returns trigger language plpgsql as $$
begin
  new.words := (
    select setweight(search_words(title), 'A') || setweight(search_words(plain), 'D') from kb_versions
    where article_id = new.article_id and locale = new.locale and version = new.published_version);
  return new;
end
$$;
