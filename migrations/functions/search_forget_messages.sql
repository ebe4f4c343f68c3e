create or replace function search_forget_messages(p_newest bigint, p_but_of bigint[]) returns void language plpgsql as $$
declare
  kept message_words[];
begin
  -- In the order in which who makes words takes them.
  perform from search_places where name = 'ticket_messages' for update;
  lock table message_words in access exclusive mode nowait;
  kept := array(select message_words from message_words where message_id = any(p_but_of));
  drop index if exists message_words_index;
  truncate message_words;
  perform set_config('deskline.recalls_words', 'on', true);
  insert into message_words select row.* from unnest(kept) as row;
  update search_places set forgotten_id = p_newest where name = 'ticket_messages';
end
$$;
