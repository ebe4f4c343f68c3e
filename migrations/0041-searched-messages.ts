import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/**
 * The search of messages asks an index of words that are not stored beside it: `searched_messages` has an entry for each message, and the
 * words are those of `message_words`, or made from the text where it has none. Code from before asks `message_words` and its index; both
 * stay as they were until the words of older messages are forgotten, an hour from here at the earliest.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table searched_messages (
      message_id bigint primary key references ticket_messages on delete cascade
    )`.execute(db)

  // An index of it holds because an entry lives no longer than what it was made of: another text or another language makes a new row.
  // With the search path of today, since indexes are made and sampled under an empty one. What it costs keeps plans to the index.
  await sql`
    create function search_words_of_message(p_id bigint) returns tsvector
    language plpgsql immutable strict parallel safe cost 2000 set search_path from current as $$
    declare
      found_words tsvector;
    begin
      select words into found_words from message_words where message_id = p_id;
      if found_words is null then
        select words_of_ticket_messages(ticket_messages) into found_words from ticket_messages where id = p_id;
      end if;
      return coalesce(found_words, '');
    end $$`.execute(db)

  // As they are written alone, which tells whether words stand next to one another and takes a third of the time. Long texts have stored ones.
  await sql`
    create function search_written_words_of_message(p_id bigint) returns tsvector
    language plpgsql stable strict parallel safe cost 1000 set search_path from current as $$
    declare
      found_words tsvector;
    begin
      select words into found_words from message_words where message_id = p_id;
      if found_words is null then
        select to_tsvector('search_simple', search_clean(message)) into found_words
          from ticket_messages where id = p_id and octet_length(message) < 100000;
      end if;
      return coalesce(found_words, search_words_of_message(p_id));
    end $$`.execute(db)

  // So many of the messages with these words, by the index whatever the planner thinks: it takes it that words are made of all that the index
  // offers, and would make those of all messages instead.
  await sql`
    create function search_messages_with(p_query tsquery, p_most integer) returns setof bigint
    language plpgsql stable strict rows 1000 set search_path from current
    set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
    begin
      return query select message_id from searched_messages where search_words_of_message(message_id) @@ p_query limit p_most;
    end $$`.execute(db)

  // Whoever stores words, also code from before: an entry made anew is indexed anew. Words that are only stored again, as they were when
  // they were indexed, leave the entry alone: who does so says it for the transaction.
  await sql`
    create function search_stored_messages() returns trigger language plpgsql as $$
    begin
      delete from searched_messages using stored where searched_messages.message_id = stored.message_id;
      insert into searched_messages select message_id from stored order by message_id;
      return null;
    end $$`.execute(db)
  await sql`create trigger message_words_stored after insert on message_words referencing new table as stored
    for each statement when (current_setting('deskline.recalls_words', true) is distinct from 'on')
    execute function search_stored_messages()`.execute(db)
  await sql`create trigger message_words_stored_anew after update on message_words referencing new table as stored
    for each statement execute function search_stored_messages()`.execute(db)

  // Of messages: behind which id words are stored; null as long as all are, since code from before may ask for them.
  await sql`
    alter table search_places add forgotten_id bigint, add forgets_at timestamptz not null default now() + interval '1 hour'`.execute(
    db
  )

  // As before, and of what is found by `searched_messages` by what is known of its index.
  await sql`
    create or replace function search_common(name text, beginnings text[]) returns tsquery
    language plpgsql stable parallel safe as $$
    begin
      if (select reltuples from pg_class where oid = name::regclass) < 100000 then
        return null;
      end if;
      return (
        select string_agg(distinct quote_literal(word), ' | ')::tsquery
        from pg_stats, unnest(most_common_elems::text::text[]) as word, unnest(beginnings) as beginning
        where schemaname = current_schema and starts_with(word, beginning) and word ~ '^\\w+$'
          and (tablename = name and attname = 'words'
            or name = 'searched_messages' and tablename = 'searched_messages_index' and attname = 'search_words_of_message'));
    end $$`.execute(db)
}
