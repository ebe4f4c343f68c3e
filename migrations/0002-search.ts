import { type Kysely, sql } from 'kysely'
import { createFunctions, runFiles } from './run-sql.ts'

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

const functions = [
  'search_language',
  'search_clean',
  'search_spelling',
  'search_fold',
  'search_stems',
  'search_words',
  'keep_words_of_clients',
  'keep_words_of_clients_tickets',
  'keep_words_of_tickets'
]

/** Functions that make rows of a table. */
const functionsOfRows = ['words_of_clients', 'words_of_tickets']

/** The full-text search: the words (tsvector) of tickets, messages, notes and clients, made in the statement that writes them. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
  await createFunctions(db, functions)
  await runFiles(db, ['baseline/08-search.sql'])
  await createFunctions(db, functionsOfRows)
}
