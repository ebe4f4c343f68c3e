import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false
export const oldestCode = '0002-search'

/** Articles by the words of their titles: a search finds these however many newer ones have the words in their text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'kb_texts_titles_index',
    sql`kb_texts using gin (ts_filter(words, '{a}')) with (fastupdate = off)`
  )
}
