import { sql } from 'kysely'
import { type Db, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { SearchLanguage } from '../../platform/db/search-languages.ts'

/** The language of the stored words. */
export async function searchLanguageOf(db: Db): Promise<SearchLanguage> {
  const { rows } = await sql<{ language: SearchLanguage }>`select search_language() as language`.execute(db)
  return rows[0]!.language
}

/**
 * At startup: a desk without tickets takes the language of its settings; any other has to be reindexed, and the log says so. Until then its
 * stored words keep their language.
 */
export async function initializeSearchLanguage({
  config,
  db,
  log
}: Pick<Services, 'config' | 'db' | 'log'>): Promise<void> {
  const wanted = config.SEARCH_LANGUAGE
  if ((await searchLanguageOf(db)) === wanted) return
  const other = await languageMismatch({ config, db })
  if (other) log.warn(other)
  else await setSearchLanguage(db, wanted)
}

/** A sentence for the operator if the stored words have another language than the settings. */
export async function languageMismatch({ config, db }: Pick<Services, 'config' | 'db'>): Promise<string | undefined> {
  const wanted = config.SEARCH_LANGUAGE
  const stored = await searchLanguageOf(db)
  if (stored === wanted) return undefined
  const ticket = await db.selectFrom('tickets').select('id').limit(1).executeTakeFirst()
  return ticket && `SEARCH_LANGUAGE is ${wanted}, but the search is in ${stored}: run "deskline search rebuild"`
}

/** Stores words in this language from now on. Waits for running writers, so that none stores words in the former language afterwards. */
export async function setSearchLanguage(db: Db, language: SearchLanguage): Promise<void> {
  await transaction(db, async db => {
    await sql`lock table ticket_words, ticket_messages, ticket_notes, kb_texts in share row exclusive mode`.execute(db)
    await db
      .insertInto('search_state')
      .values({ language })
      .onConflict(conflict => conflict.column('only_row').doUpdateSet({ language }))
      .execute()
  })
}
