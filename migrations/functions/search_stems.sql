-- The stems of the words in the language of the desk, without places; stop words have none.
create or replace function search_stems(content text) returns tsvector language plpgsql stable parallel safe strict as $$
begin
  return array_to_tsvector(array_remove(string_to_array(search_spelling(array_to_string(
    tsvector_to_array(to_tsvector(('search_' || search_language())::regconfig, normalize(content, NFC))), ' ')), ' '), ''));
end
$$;
