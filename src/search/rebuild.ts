import { sql } from 'kysely'
import { type Db, transaction } from '../db.ts'
import type { Services } from '../services.ts'
import { forgetAgain } from './forget-words.ts'
import { setSearchLanguage } from './language.ts'

const batchSize = 200

/** The tables of words, and what they are of. */
export const wordKinds = [
  { words: 'client_words', of: 'clients', key: 'client_id', hasLabel: true },
  { words: 'ticket_words', of: 'tickets', key: 'ticket_id', hasLabel: true },
  { words: 'message_words', of: 'ticket_messages', key: 'message_id', hasLabel: false },
  { words: 'note_words', of: 'ticket_notes', key: 'note_id', hasLabel: false }
] as const

/**
 * Makes all words anew in the language of the settings, in batches that keep nobody waiting for long, while the desk is at work.
 * What has not had its turn yet is found by the words as they are written. Answers the number of texts.
 */
export async function rebuildSearch(
  { config, db }: Pick<Services, 'config' | 'db'>,
  progress: (texts: number) => void = () => {}
): Promise<number> {
  await setSearchLanguage(db, config.SEARCH_LANGUAGE)
  let texts = 0
  for (const kind of wordKinds) {
    for (let last: number | undefined = 0; last !== undefined; ) {
      const ids = await rebuildBatch(db, kind, last)
      last = ids.at(-1)
      texts += ids.length
      progress(texts)
    }
  }
  for (const table of [...wordKinds.map(({ words }) => words), 'searched_messages']) {
    await sql`analyze ${sql.table(table)}`.execute(db)
  }
  return texts
}

async function rebuildBatch(db: Db, { words, of, key, hasLabel }: (typeof wordKinds)[number], after: number) {
  const id = sql.ref(key)
  const label = hasLabel ? sql`, ${sql.ref(`label_of_${of}`)}(source)` : sql``
  return await transaction(db, async db => {
    // Among the texts may be some of half a million characters.
    await sql`set local statement_timeout = 0`.execute(db)
    // Locked, so that nobody changes or deletes them until their words are stored; read by the next statement, as they are then.
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
    // Those of older messages are stored for their entry in the index alone.
    if (words === 'message_words') await forgetAgain(db, ids)
    return ids
  })
}
