import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false
export const oldestCode = '0028c-search-places'

const batchSize = 50_000

/** Adds entries for the messages with words, and then the index. A trigger adds the entries of words that are stored meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (let last: string | null = '0'; last !== null; ) {
    const { rows } = await sql<{ last: string | null }>`
      with batch as (
        select message_id from message_words where message_id > ${last} order by message_id limit ${sql.lit(batchSize)}),
      entered as (
        insert into searched_messages select message_id from batch order by message_id on conflict do nothing)
      select max(message_id)::text as last from batch`.execute(db)
    last = rows[0]!.last
  }
  await makeIndex(
    db,
    'searched_messages_index',
    sql`searched_messages using gin (search_words_of_message(message_id), search_blocks(message_id))
      with (gin_pending_list_limit = 1024)`
  )
}
