import { sql } from 'kysely'
import { type Db, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { setSearchLanguage } from './language.ts'

const batchSize = 200

/** Tables with texts, and how their words are made anew. */
const searched = [
  { of: 'clients', in: 'client_words', key: 'client_id' },
  { of: 'tickets', in: 'ticket_words', key: 'ticket_id' },
  { of: 'ticket_messages', text: 'message' },
  { of: 'ticket_notes', text: 'note' },
  // Its trigger makes the words of the published version.
  { of: 'kb_texts', text: 'slug' }
] as const

type Searched = (typeof searched)[number]

/**
 * Makes all words anew in the language of the settings, in small batches, while the desk is running. Until its turn comes a text is found by its
 * words as they are written. Returns the number of texts.
 */
export async function rebuildSearch(
  { config, db }: Pick<Services, 'config' | 'db'>,
  progress: (texts: number) => void = () => {}
): Promise<number> {
  await setSearchLanguage(db, config.SEARCH_LANGUAGE)
  let texts = 0
  for (const table of searched) {
    for (let last: number | undefined = 0; last !== undefined; ) {
      const ids = await rebuildBatch(db, table, last)
      last = ids.at(-1)
      texts += ids.length
      progress(texts)
    }
    await sql`analyze ${sql.table('in' in table ? table.in : table.of)}`.execute(db)
  }
  return texts
}

async function rebuildBatch(db: Db, table: Searched, after: number): Promise<number[]> {
  return await transaction(db, async db => {
    // No timeout, since some texts may have half a million characters.
    await sql`set local statement_timeout = 0`.execute(db)
    // Locked, so that nobody changes or deletes them until their words are stored; the next statement reads their current text.
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table.of)} where id > ${after} order by id limit ${sql.lit(batchSize)} for share`.execute(
      db
    )
    const ids = rows.map(row => row.id)
    await makeWords(db, table, ids)
    return ids
  })
}

/** The words of messages and notes are columns that the database makes whenever the text is written. */
async function makeWords(db: Db, table: Searched, ids: number[]): Promise<void> {
  if ('text' in table) {
    const text = sql.ref(table.text)
    await sql`update ${sql.table(table.of)} set ${text} = ${text} where id = any(${ids}::bigint[])`.execute(db)
    return
  }
  await sql`insert into ${sql.table(table.in)}
      select made.* from ${sql.table(table.of)} as source cross join lateral ${sql.ref(`words_of_${table.of}`)}(source) as made
      where source.id = any(${ids}::bigint[]) order by source.id
    on conflict (${sql.ref(table.key)}) do update set words = excluded.words, label = excluded.label`.execute(db)
}
