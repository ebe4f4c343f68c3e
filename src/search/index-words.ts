import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared, transaction } from '../db.ts'
import { wordKinds } from './rebuild.ts'

/** Whose words are made by a reader, a little later than they are written; those of clients are made at once. */
const readTables = wordKinds.filter(({ of }) => of !== 'clients')

type ReadTable = (typeof readTables)[number]

const batchSize = 200
/** Of more of a kind it is not said how many they are. */
const mostCounted = 1000
/** A search, which waits for them, has so many texts read at most. With more, as after an import, it finds what has been read so far. */
const mostBatchesOfSearch = 25
/** Ids that were missing are awaited for so long at least: until nobody can write them any more. */
const gapsLastSeconds = 60

/**
 * Makes the words of what has been committed and has none yet, so that a search finds it. Cheap where there is nothing, which it asks
 * without a lock. What others have in work is awaited, batch by batch. A database that takes no writes is left as it is.
 */
export async function catchUp(db: Db, mostBatches = mostBatchesOfSearch): Promise<void> {
  for (let batch = 0; batch < mostBatches && (await state(db)).is_behind; batch++) {
    // What is left is held by somebody who may be deleting it.
    if ((await indexBatch(db, 'wait')) === 0) return
  }
}

/** The same by a process that does so all the time. Answers whether more is left; where another process is at it, it is left to that one. */
export async function indexSome(db: Db): Promise<boolean> {
  const { is_behind, is_due } = await state(db)
  return (is_behind || is_due) && (await indexBatch(db, 'leave')) >= batchSize
}

/** How many texts have no words yet, a thousand of each kind at most, and how long the oldest of them has waited. */
export async function unreadTexts(db: Db): Promise<{ texts: number; oldest_seconds: number }> {
  const [found] = await waiting(db, {})
  return found!
}

const waiting = prepared(db => {
  const kinds = readTables.map(
    ({ of }) => sql`select created_at from search_places cross join lateral (
      select created_at from ${sql.table(of)} where id > seen_id order by id limit ${sql.lit(mostCounted)}) as text
    where name = ${sql.lit(of)}`
  )
  const query = sql<{ texts: number; oldest_seconds: number }>`
    select count(*) as texts,
      greatest(0, coalesce(extract(epoch from now() - min(created_at)), 0))::float8 as oldest_seconds
    from (${sql.join(kinds, sql` union all `)}) as text`
  return { compile: () => query.compile(db) }
})

/** Whether something that can be seen has no words, and whether gaps have grown old; neither in a database that takes no writes. */
async function state(db: Db): Promise<{ is_behind: boolean; is_due: boolean }> {
  const [found] = await unread(db, {})
  return found!
}

/** Whether what was a gap at the last turn can be written by nobody any more. A transaction yet to come is one of another database, from which the rows came. */
const mayTurn = sql`(turned_at < now() - make_interval(secs => ${sql.lit(gapsLastSeconds)})
  and not coalesce(turned_xid > pg_snapshot_xmin(pg_current_snapshot()) and turned_xid <= pg_snapshot_xmax(pg_current_snapshot()), false))`

/** By the index of ids, however large the tables are: the place and the gaps are not known to the planner. */
const unread = prepared(db => {
  const places = readTables.map(
    ({ of }) => sql`
      select (select id from ${sql.table(of)} where id > seen_id order by id limit 1) is not null
          or exists (select from ${lateIn(of)} as late) as is_behind,
        not isempty(gaps + old_gaps) and ${mayTurn} as is_due
      from search_places where name = ${sql.lit(of)} and current_setting('transaction_read_only') = 'off'`
  )
  const query = sql<{ is_behind: boolean; is_due: boolean }>`
    select coalesce(bool_or(is_behind), false) as is_behind, coalesce(bool_or(is_due), false) as is_due
    from (${sql.join(places, sql` union all `)}) as place`
  return { compile: () => query.compile(db) }
})

/** The rows that have come up in the gaps of the place at hand. */
function lateIn(of: string) {
  return sql`(
    select found.id from unnest(gaps + old_gaps) as gap cross join lateral (
      select id from ${sql.table(of)} where id >= lower(gap) and id < upper(gap) order by id limit ${sql.lit(batchSize)}) as found
    limit ${sql.lit(batchSize)})`
}

/** One batch of each table. Answers how many texts were read: none, with nothing done, where another process is at it and is not waited for. */
async function indexBatch(db: Db, others: 'wait' | 'leave'): Promise<number> {
  return await transaction(db, async db => {
    const places = await (others === 'wait' ? lockPlaces : lockFreePlaces)(db, {})
    if (places.length < readTables.length) return 0
    let texts = 0
    for (const index of indexOne) texts += (await index(db, {}))[0]?.texts ?? 0
    return texts
  })
}

// Among the texts may be some of half a million characters.
const lockPlaces = prepared(db => ({ compile: () => placesForUpdate(sql``).compile(db) }))
const lockFreePlaces = prepared(db => ({ compile: () => placesForUpdate(sql` skip locked`).compile(db) }))

function placesForUpdate(others: RawBuilder<unknown>) {
  return sql<{
    name: string
  }>`select name, set_config('statement_timeout', '0', true) from search_places order by name for update${others}`
}

/**
 * Reads on from the place of one table, in one statement. Whatever its snapshot does not show stays a gap or lies ahead. A row that
 * somebody holds so that it may be deleted stays a gap as well: words never outlive what they are of. Words that are there already are
 * newer, made by a change of the row: they are left alone, also where that change is not committed yet and has to be waited for.
 *
 * Gaps are given up when no transaction that could fill them is left: those of the turn before last, once every transaction of that
 * time is over and `gapsLastSeconds` have passed, since an id may be drawn a moment before its transaction has a number.
 */
function indexing({ of, words, hasLabel }: ReadTable) {
  const label = hasLabel ? sql`, ${sql.ref(`label_of_${of}`)}(source)` : sql``
  const source = sql.table(of)
  return sql<{ texts: number }>`
    with place as (select * from search_places where name = ${sql.lit(of)}),
      ahead as (
        select id from ${source} where id > (select seen_id from place) order by id limit ${sql.lit(batchSize)}),
      late as (select late.id from place cross join lateral ${lateIn(of)} as late),
      found as materialized (select id from ahead union select id from late),
      free as materialized (
        select id from ${source} where id = any(array(select id from found)) order by id for key share skip locked),
      made as (
        insert into ${sql.table(words)}
        select source.id, ${sql.ref(`words_of_${of}`)}(source)${label}
          from ${source} as source where source.id = any(array(select id from free)) order by source.id
        on conflict do nothing),
      read as (
        select greatest(seen_id, (select max(id) from ahead)) as seen_id,
          coalesce((select range_agg(int8range(id, id, '[]')) from free), '{}') as done,
          coalesce((select range_agg(int8range(id, id, '[]')) from found), '{}') as found,
          ${mayTurn} and (select count(*) from late) < ${sql.lit(batchSize)} as turns
        from place),
      grown as (
        select gaps + int8multirange(int8range(place.seen_id, read.seen_id, '(]')) + found - done as gaps from place, read)
    update search_places as former set
      seen_id = read.seen_id,
      gaps = case when turns then found - done else grown.gaps end,
      old_gaps = case when turns then grown.gaps else old_gaps - done end,
      turned_at = case when turns then now() else turned_at end,
      turned_xid = case when turns then pg_snapshot_xmax(pg_current_snapshot()) else turned_xid end
    from read, grown where name = ${sql.lit(of)} and (turns or read.seen_id > former.seen_id or not isempty(done))
    returning (select count(*) from free) as texts`
}

const indexOne = readTables.map(table => prepared(db => ({ compile: () => indexing(table).compile(db) })))
