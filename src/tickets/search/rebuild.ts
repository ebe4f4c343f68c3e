import { sql } from 'kysely'
import { type Db, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { setSearchLanguage } from './language.ts'
import { pruneAgain } from './prune-words.ts'

const batchSize = 200

/** The tables of words, with their source tables. */
export const wordTables = [
  { words: 'client_words', of: 'clients', key: 'client_id', hasLabel: true },
  { words: 'ticket_words', of: 'tickets', key: 'ticket_id', hasLabel: true },
  { words: 'message_words', of: 'ticket_messages', key: 'message_id', hasLabel: false },
  { words: 'note_words', of: 'ticket_notes', key: 'note_id', hasLabel: false }
] as const

/**
 * Reindexes everything in the language of the settings, in small batches, while the desk is running. Until its turn comes a text is found by its
 * words as they are written. Returns the number of texts.
 */
export async function rebuildSearch(
  { config, db }: Pick<Services, 'config' | 'db'>,
  progress: (texts: number) => void = () => {}
): Promise<number> {
  await setSearchLanguage(db, config.SEARCH_LANGUAGE)
  let texts = 0
  for (const kind of wordTables) {
    for (let last: number | undefined = 0; last !== undefined; ) {
      const ids = await rebuildBatch(db, kind, last)
      last = ids.at(-1)
      texts += ids.length
      progress(texts)
    }
  }
  for (const table of [...wordTables.map(({ words }) => words), 'searched_messages']) {
    await sql`analyze ${sql.table(table)}`.execute(db)
  }
  return texts
}

async function rebuildBatch(db: Db, { words, of, key, hasLabel }: (typeof wordTables)[number], after: number) {
  const id = sql.ref(key)
  const label = hasLabel ? sql`, ${sql.ref(`label_of_${of}`)}(source)` : sql``
  return await transaction(db, async db => {
    // No timeout, since some texts may have half a million characters.
    await sql`set local statement_timeout = 0`.execute(db)
    // Locked, so that nobody changes or deletes them until their words are stored; the next statement reads their current text.
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(of)} where id > ${after} order by id limit ${sql.lit(batchSize)} for share`.execute(db)
    const ids = rows.map(row => row.id)
    await sql`
      insert into ${sql.table(words)}
        select source.id, ${sql.ref(`words_of_${of}`)}(source)${label} from ${sql.table(of)} as source
        where source.id = any(${ids}::bigint[])
      on conflict (${id}) do update set words = excluded.words${hasLabel ? sql`, label = excluded.label` : sql``}`.execute(
      db
    )
    // The words of older messages are stored only to update the index.
    if (words === 'message_words') await pruneAgain(db, ids)
    return ids
  })
}
