import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/**
 * The search of messages uses an index of words that are not stored: `searched_messages` has an entry for each message, whose words are
 * those in `message_words`, or else made from its text. Older code uses `message_words` and its index; both stay until the words of older
 * messages are deleted, an hour from now at the earliest.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table searched_messages (
      message_id bigint primary key references ticket_messages on delete cascade
    )`.execute(db)

  // It may be indexed as immutable, because an entry is replaced whenever its text or the language changes. It keeps the current search
  // path, since indexes are built and sampled with an empty one. Its high cost makes the planner use the index.
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

  // Only the words as they are written, with their positions for phrases, which takes a third of the time. Long texts have stored words.
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

  // At most `p_most` messages with these words. The settings force the use of the index: the planner assumes that the words of every match are
  // computed again, and would scan all messages instead.
  await sql`
    create function search_messages_with(p_query tsquery, p_most integer) returns setof bigint
    language plpgsql stable strict rows 1000 set search_path from current
    set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
    begin
      return query select message_id from searched_messages where search_words_of_message(message_id) @@ p_query limit p_most;
    end $$`.execute(db)

  // When words are stored, also by older code, the entry is replaced and so indexed anew. Words that are stored again as they were indexed
  // leave the entry alone: that transaction sets `deskline.recalls_words`.
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

  // For messages: after which id words are stored; null while all are, since older code may need them.
  await sql`
    alter table search_places add forgotten_id bigint, add forgets_at timestamptz not null default now() + interval '1 hour'`.execute(
    db
  )

  // As before, and for `searched_messages` from the statistics of its index.
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
