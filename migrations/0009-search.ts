import { type Kysely, sql } from 'kysely'

const languages = [
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish'
]

/**
 * The full-text search: the words (tsvector) of tickets, messages, notes and clients, in tables beside them. A ticket changes with each
 * reply, but its words hardly ever; in its own row they would be indexed again each time. Notes have a table of their own here, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists unaccent`.execute(db)

  // A configuration for each language, with its dictionary behind one that removes accents, and one (`simple`) for no language.
  for (const language of ['simple', ...languages]) {
    const name = sql.ref(`search_${language}`)
    const dictionary = sql.ref(language === 'simple' ? 'simple' : `${language}_stem`)
    // A restore recreates the schema, and configurations are left from before.
    await sql`drop text search configuration if exists ${name}`.execute(db)
    await sql`create text search configuration ${name} (copy = pg_catalog.${sql.ref(language)})`.execute(db)
    await sql`alter text search configuration ${name}
      alter mapping for word, hword, hword_part with unaccent, ${dictionary}`.execute(db)
    await sql`alter text search configuration ${name}
      alter mapping for numword, numhword with unaccent, simple`.execute(db)
  }

  // All functions are in PL/pgSQL, whose statements are planned once per connection, not for each row.
  // This table has the language of the stored words; without a row it is English.
  await sql`
    create table search_state (
      only_row boolean primary key default true check (only_row),
      language varchar(30) not null
    )`.execute(db)
  await sql`
    create function search_language() returns text language plpgsql stable parallel safe as $$
    begin
      return coalesce((select language from search_state), 'english');
    end $$`.execute(db)

  // Text in lower case and without accents, for comparing parts of words.
  await sql`
    create function search_fold(content text) returns text language plpgsql immutable strict parallel safe as $$
    begin
      return lower(unaccent(normalize(content, NFC)));
    end $$`.execute(db)

  // Punctuation within words is replaced by blanks, one for each character. The parser then finds only words and numbers, instead of an
  // e-mail address, a path or a signed number as one word, no part of which could be found; and no text takes long to parse. The
  // brackets mark matches in snippets. Replacing one character after the other takes a tenth of the time of "translate".
  const cleaned = [...'.-+_@/:&<~⟦⟧'].reduce(
    (text, character) => sql`replace(${text}, ${sql.lit(character)}, ' ')`,
    sql`case when octet_length(content) = length(content) then content else normalize(content, NFC) end`
  )
  await sql`
    create function search_clean(content text) returns text language plpgsql immutable strict parallel safe as $$
    begin
      return ${cleaned};
    end $$`.execute(db)

  // Every word as it is written, followed by its stem in the language, without positions. A text with more words than a tsvector can
  // have is cut until they fit.
  await sql`
    create function search_words(language text, content text, weight "char") returns tsvector
    language plpgsql stable strict parallel safe as $$
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
    end $$`.execute(db)

  await words(db, {
    table: 'client_words',
    of: 'clients',
    key: 'client_id',
    changedBy: ['first_name', 'last_name', 'email', 'company_name'],
    words: sql`search_words('simple', concat_ws(' ', p_row.first_name, p_row.last_name, p_row.email, p_row.company_name), 'A')`,
    label: sql`search_fold(p_row.first_name || ' ' || p_row.last_name || E'\n' || p_row.email)`
  })
  await words(db, {
    table: 'ticket_words',
    of: 'tickets',
    key: 'ticket_id',
    changedBy: ['ticket_number', 'subject', 'client_id'],
    // The names of its client are included, so that "ada printer" finds the ticket.
    words: sql`search_words(search_language(), p_row.ticket_number || ' ' || p_row.subject, 'A') || (
      select search_words('simple', concat_ws(' ', first_name, last_name, email, company_name), 'B')
      from clients where clients.id = p_row.client_id)`,
    label: sql`search_fold(p_row.ticket_number || E'\n' || p_row.subject)`
  })
  await words(db, {
    table: 'message_words',
    of: 'ticket_messages',
    key: 'message_id',
    changedBy: ['message'],
    words: sql`search_words(search_language(), p_row.message, 'D')`
  })
  await words(db, {
    table: 'note_words',
    of: 'ticket_notes',
    key: 'note_id',
    changedBy: ['note'],
    words: sql`search_words(search_language(), p_row.note, 'D')`
  })

  await sql`
    create function keep_words_of_clients_tickets() returns trigger language plpgsql as $$
    begin
      update ticket_words set words = words_of_tickets(tickets)
        from tickets where tickets.id = ticket_words.ticket_id and tickets.client_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`create trigger clients_words_of_tickets after update of first_name, last_name, email, company_name on clients
    for each row when ((old.first_name, old.last_name, old.email, old.company_name)
      is distinct from (new.first_name, new.last_name, new.email, new.company_name))
    execute function keep_words_of_clients_tickets()`.execute(db)
}

interface Words {
  table: string
  of: string
  key: string
  /** The columns on which the words depend. */
  changedBy: string[]
  /** The words of the row `p_row`. */
  words: ReturnType<typeof sql>
  /** The text that is also found by parts of words and by similar words (trigrams). */
  label?: ReturnType<typeof sql>
}

/** Creates a table of words, fills it from the existing rows, and keeps it current by triggers, in the transaction of each change. */
async function words(db: Kysely<unknown>, { table, of, key, changedBy, words, label }: Words): Promise<void> {
  const [target, source, id] = [sql.table(table), sql.table(of), sql.ref(key)]
  const wordsOf = sql.ref(`words_of_${of}`)
  const labelOf = sql.ref(`label_of_${of}`)
  const keep = sql.ref(`keep_words_of_${of}`)

  await sql`create function ${wordsOf}(p_row ${source}) returns tsvector language plpgsql stable as $$
    begin
      return ${words};
    end $$`.execute(db)
  if (label) {
    await sql`create function ${labelOf}(p_row ${source}) returns text language plpgsql stable as $$
    begin
      return ${label};
    end $$`.execute(db)
  }
  const labelColumn = label ? sql`, label text not null` : sql``
  await sql`create table ${target} (
    ${id} bigint primary key references ${source} on delete cascade, words tsvector not null${labelColumn})`.execute(db)
  const values = (row: ReturnType<typeof sql>) =>
    label ? sql`${row}.id, ${wordsOf}(${row}), ${labelOf}(${row})` : sql`${row}.id, ${wordsOf}(${row})`
  await sql`insert into ${target} select ${values(source)} from ${source} order by id`.execute(db)

  // New entries are in the pending list of the index, which is short, so that it is fast to search and soon merged.
  await sql`create index ${sql.ref(`${table}_index`)} on ${target} using gin (words) with (gin_pending_list_limit = 1024)`.execute(
    db
  )
  if (label) {
    await sql`create index ${sql.ref(`${table}_label_index`)} on ${target} using gin (label gin_trgm_ops)
      with (gin_pending_list_limit = 1024)`.execute(db)
  }

  await sql`
    create function ${keep}() returns trigger language plpgsql as $$
    begin
      insert into ${target} values (${values(sql`new`)})
        on conflict (${id}) do update set words = excluded.words${label ? sql`, label = excluded.label` : sql``};
      return null;
    end $$`.execute(db)
  const columns = sql.join(changedBy.map(name => sql.ref(name)))
  const row = (which: string) => sql.join(changedBy.map(name => sql.ref(`${which}.${name}`)))
  await sql`create trigger ${sql.ref(`${of}_words_in`)} after insert on ${source}
    for each row execute function ${keep}()`.execute(db)
  await sql`create trigger ${sql.ref(`${of}_words_changed`)} after update of ${columns} on ${source}
    for each row when (row(${row('old')}) is distinct from row(${row('new')})) execute function ${keep}()`.execute(db)
}
