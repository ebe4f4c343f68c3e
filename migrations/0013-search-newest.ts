import { type Kysely, sql } from 'kysely'

const words = {
  ticket_words: 'ticket_id',
  message_words: 'message_id',
  note_words: 'note_id',
  client_words: 'client_id'
}
const labels = ['ticket_words', 'client_words']

/**
 * The indexes of the search also contain blocks of ids: of 1,024 ids, of eight times as many, and so on. Asked for a word and a block,
 * they return the few rows with both, so the newest rows are found without reading the others.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A number encodes a block and its level. The function is in SQL, so that it is inlined and a query matches the expression of the index.
  await sql`
    create function search_blocks(id bigint) returns bigint[] language sql immutable parallel safe as $$
      select array[id >> 10 << 3, (id >> 13 << 3) + 1, (id >> 16 << 3) + 2, (id >> 19 << 3) + 3, (id >> 22 << 3) + 4]
    $$`.execute(db)

  // The most common words of a table with these beginnings, from the planner's statistics. Null if there are none, and for tables with
  // few rows, in which no word is common enough to matter.
  await sql`
    create function search_common(name text, beginnings text[]) returns tsquery language plpgsql stable parallel safe as $$
    begin
      if (select reltuples from pg_class where oid = name::regclass) < 100000 then
        return null;
      end if;
      return (
        select string_agg(distinct quote_literal(word), ' | ')::tsquery
        from pg_stats, unnest(most_common_elems::text::text[]) as word, unnest(beginnings) as beginning
        where schemaname = current_schema and tablename = name and attname = 'words' and starts_with(word, beginning)
          and word ~ '^\\w+$');
    end $$`.execute(db)

  for (const [table, key] of Object.entries(words)) {
    await renew(db, `${table}_index`, sql`${sql.table(table)} using gin (words, search_blocks(${sql.ref(key)}))`)
  }
  for (const table of labels) {
    const key = sql.ref(words[table as keyof typeof words])
    await renew(
      db,
      `${table}_label_index`,
      sql`${sql.table(table)} using gin (label gin_trgm_ops, search_blocks(${key}))`
    )
  }
}

async function renew(db: Kysely<unknown>, name: string, on: ReturnType<typeof sql>): Promise<void> {
  await sql`drop index ${sql.ref(name)}`.execute(db)
  await sql`create index ${sql.ref(name)} on ${on} with (gin_pending_list_limit = 1024)`.execute(db)
}
