import { sql } from 'kysely'
import { type Db, transaction } from '../db.ts'
import type { SearchLanguage } from '../platform/db/search-languages.ts'
import type { Services } from '../services.ts'

/** The language of the words that are stored. */
export async function searchLanguageOf(db: Db): Promise<SearchLanguage> {
  const { rows } = await sql<{ language: SearchLanguage }>`select search_language() as language`.execute(db)
  return rows[0]!.language
}

/**
 * At the start: a desk without tickets takes on the language of its settings; on any other the words have to be made anew, and the
 * log says so. Until then they are found in the language they are in.
 */
export async function settleSearchLanguage({
  config,
  db,
  log
}: Pick<Services, 'config' | 'db' | 'log'>): Promise<void> {
  const wanted = config.SEARCH_LANGUAGE
  if ((await searchLanguageOf(db)) === wanted) return
  const other = await otherLanguage({ config, db })
  if (other) log.warn(other)
  else await setSearchLanguage(db, wanted)
}

/** The sentence for an operator where the words of tickets are in another language than that of the settings. */
export async function otherLanguage({ config, db }: Pick<Services, 'config' | 'db'>): Promise<string | undefined> {
  const wanted = config.SEARCH_LANGUAGE
  const stored = await searchLanguageOf(db)
  if (stored === wanted) return undefined
  const ticket = await db.selectFrom('tickets').select('id').limit(1).executeTakeFirst()
  return ticket && `SEARCH_LANGUAGE is ${wanted}, but the search is in ${stored}: run "deskline search rebuild"`
}

/** From now on words are stored in this language. Waits for who is storing some, so that none comes later in the former. */
export async function setSearchLanguage(db: Db, language: SearchLanguage): Promise<void> {
  await transaction(db, async db => {
    await sql`lock table ticket_words, message_words, note_words in share row exclusive mode`.execute(db)
    await db
      .insertInto('search_state')
      .values({ language })
      .onConflict(conflict => conflict.column('only_row').doUpdateSet({ language }))
      .execute()
  })
}
