create or replace function search_messages_with(p_query tsquery, p_most integer) returns SETOF bigint language plpgsql stable strict set search_path to '$user', 'public' SET enable_seqscan TO 'off' SET enable_indexscan TO 'off' SET enable_indexonlyscan TO 'off' as $$
begin
  return query select message_id from searched_messages where search_words_of_message(message_id) @@ p_query limit p_most;
end
$$;
