create or replace function search_words(language text, content text, weight "char") returns tsvector language plpgsql stable parallel safe strict as $$
declare
  cleaned text := search_clean(content);
begin
  loop
    begin
      return setweight(to_tsvector('search_simple', cleaned), weight)
        || strip(to_tsvector(('search_' || language)::regconfig, cleaned));
    exception when program_limit_exceeded then
      cleaned := left(cleaned, length(cleaned) / 2);
    end;
  end loop;
end
$$;
