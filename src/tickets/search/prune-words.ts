import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { recordOldestCode } from '../../platform/db/schema-state.ts'

/**
 * The words of messages take more room than their texts, and a search reads few of them. So only those of the newest messages are stored, for
 * finding and ranking common words, and those of long ones, which are slow to parse; others are parsed when read (`search_words_of_message`).
 * Stored words only save time: a missing one changes no result.
 */
const share = 8
/** The longest text whose words are parsed during a search: about four thousand characters. */
const longestWords = 8_000
/** Code older than this migration reads the table of words directly. */
const oldestCode = '0041c-forgotten-words'

interface Limits {
  /** The words of at least this many messages are always stored. */
  fewest: number
  /** With fewer messages all words stay, since there is nothing to gain. */
  fromMessages: number
  batchSize: number
}

export const pruneLimits: Limits = { fewest: 4_096, fromMessages: 10_000, batchSize: 250 }

/** Runs one step. Returns whether there is more to do; false if another process is at it. */
export async function pruneWords(db: Db, limits = pruneLimits): Promise<boolean> {
  const [found] = await place(db, {})
  if (!found) return false
  const { newest_id, forgotten_id, may_begin } = found
  const keptFrom = lastPruned(newest_id, limits)
  if (forgotten_id === null) return may_begin && newest_id > limits.fromMessages && (await begin(db, newest_id))
  const size = { keptFrom, batchSize: limits.batchSize }
  if (forgotten_id > keptFrom) return await recall(db, size)
  // In batches, not message by message.
  return keptFrom - forgotten_id >= limits.batchSize && (await forget(db, size))
}

/** The newest message whose words are not stored. */
export function lastPruned(newest: number, { fewest }: Pick<Limits, 'fewest'> = pruneLimits): number {
  return Math.max(0, newest - Math.max(fewest, Math.floor(newest / share)))
}

/** Returns nothing if the database is read-only. */
const place = prepared(db => {
  const query = sql<{ newest_id: number; forgotten_id: number | null; may_begin: boolean }>`
    select coalesce((select max(message_id) from searched_messages), 0) as newest_id, forgotten_id, forgets_at < now() as may_begin
    from search_places where name = 'ticket_messages' and current_setting('transaction_read_only') = 'off'`
  return { compile: () => query.compile(db) }
})

/**
 * From here on, processes of older versions are not ready any more. The index and all stored words are dropped, which frees the room at once;
 * words that should stay are then stored again. If the table is locked, for example by an export, it is tried again a minute later.
 */
async function begin(db: Db, newest: number): Promise<boolean> {
  await recordOldestCode(db, oldestCode)
  const long = await longMessages(db)
  try {
    await sql`select search_forget_messages(${newest}, ${long}::bigint[])`.execute(db)
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error
    const later = sql<Date>`now() + interval '1 minute'`
    await db.updateTable('search_places').where('name', '=', 'ticket_messages').set({ forgets_at: later }).execute()
    return false
  }
}

const lockNotAvailable = '55P03'

/** Reads all stored words, a part at a time. */
async function longMessages(db: Db): Promise<number[]> {
  const long: number[] = []
  for (let last: number | null = 0; last !== null; ) {
    const { rows } = await sql<{ last: number | null; long: number[] }>`
      select max(message_id) as last,
        coalesce(json_agg(message_id) filter (where pg_column_size(words) > ${sql.lit(longestWords)}), '[]') as long
      from (select * from message_words where message_id > ${last} order by message_id limit 20000) as part`.execute(db)
    last = rows[0]!.last
    long.push(...rows[0]!.long)
  }
  return long
}

interface Size {
  keptFrom: number
  batchSize: number
}

/** Stores words of the newest messages again after all were removed. They are the same as when indexed, and are marked so. */
async function recall(db: Db, { keptFrom, batchSize }: Size): Promise<boolean> {
  const { rows } = await sql`
    with place as materialized (
      select forgotten_id, set_config('deskline.recalls_words', 'on', true) from search_places
      where name = 'ticket_messages' and forgotten_id > ${keptFrom} for update skip locked),
    found as materialized (
      select message_id from searched_messages, place where message_id <= forgotten_id and message_id > ${keptFrom}
      order by message_id desc limit ${batchSize}),
    free as materialized (
      select id from ticket_messages where id = any(array(select message_id from found)) order by id for key share skip locked),
    stored as (
      insert into message_words select source.id, words_of_ticket_messages(source)
      from ticket_messages as source where source.id = any(array(select id from free))
        and not exists (select from message_words where message_id = source.id) order by source.id
      on conflict do nothing)
    update search_places set forgotten_id =
      case when (select count(*) from found) < ${batchSize} then ${keptFrom} else (select min(message_id) - 1 from found) end
    where name = 'ticket_messages' and exists (select from place) returning forgotten_id`.execute(db)
  return rows.length > 0
}

/** Removes the oldest stored words, except those of long texts. */
async function forget(db: Db, { keptFrom, batchSize }: Size): Promise<boolean> {
  const { rows } = await sql`
    with place as (
      select forgotten_id from search_places where name = 'ticket_messages' and forgotten_id < ${keptFrom} for update skip locked),
    found as materialized (
      select message_id from message_words, place where message_id > forgotten_id and message_id <= ${keptFrom}
      order by message_id limit ${batchSize}),
    gone as (
      delete from message_words where message_id = any(array(select message_id from found))
        and pg_column_size(words) <= ${sql.lit(longestWords)})
    update search_places set forgotten_id =
      case when (select count(*) from found) < ${batchSize} then ${keptFrom} else (select max(message_id) from found) end
    where name = 'ticket_messages' and exists (select from place) returning forgotten_id`.execute(db)
  return rows.length > 0
}

/** Of these messages, whose words were just stored, removes those that were not stored before. */
export async function pruneAgain(db: Db, ids: number[]): Promise<void> {
  await sql`delete from message_words where message_id = any(${ids}::bigint[]) and pg_column_size(words) <= ${sql.lit(longestWords)}
    and message_id <= (select forgotten_id from search_places where name = 'ticket_messages')`.execute(db)
}
