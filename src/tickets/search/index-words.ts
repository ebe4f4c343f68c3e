import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared, transaction } from '../../core/db.ts'
import { wordTables } from './rebuild.ts'

/** Tables whose words are indexed by a background process shortly after writing; those of clients are indexed at once. */
const readTables = wordTables.filter(({ of }) => of !== 'clients')

type ReadTable = (typeof readTables)[number]

const batchSize = 200
/** Counting stops at this number per kind. */
const maxCounted = 1000
/** The most batches that a search indexes first. With more, as after an import, it finds what is indexed so far. */
const mostBatchesOfSearch = 25
/** Missing ids are awaited for at least this long: until nobody can write them any more. */
const gapsLastSeconds = 60

/**
 * Indexes what was committed and has no words yet, so that a search finds it. Cheap if there is nothing, which is checked without a lock. It
 * waits, batch by batch, for what others are indexing. A read-only database is left as it is.
 */
export async function catchUp(db: Db, mostBatches = mostBatchesOfSearch): Promise<void> {
  for (let batch = 0; batch < mostBatches && (await state(db)).is_behind; batch++) {
    // The rest is locked by somebody who may be deleting it.
    if ((await indexBatch(db, 'wait')) === 0) return
  }
}

/** The same for a background process. Returns whether more is left; if another process is at it, it does nothing. */
export async function indexInBackground(db: Db): Promise<boolean> {
  const { is_behind, is_due } = await state(db)
  return (is_behind || is_due) && (await indexBatch(db, 'leave')) >= batchSize
}

/** How many texts have no words yet, at most a thousand of each kind, and how long the oldest has waited. */
export async function unindexedTexts(db: Db): Promise<{ texts: number; oldest_seconds: number }> {
  const [found] = await waiting(db, {})
  return found!
}

const waiting = prepared(db => {
  const kinds = readTables.map(
    ({ of }) => sql`select created_at from search_places cross join lateral (
      select created_at from ${sql.table(of)} where id > seen_id order by id limit ${sql.lit(maxCounted)}) as text
    where name = ${sql.lit(of)}`
  )
  const query = sql<{ texts: number; oldest_seconds: number }>`
    select count(*) as texts,
      greatest(0, coalesce(extract(epoch from now() - min(created_at)), 0))::float8 as oldest_seconds
    from (${sql.join(kinds, sql` union all `)}) as text`
  return { compile: () => query.compile(db) }
})

/** Whether a visible row has no words, and whether gaps are due; both false in a read-only database. */
async function state(db: Db): Promise<{ is_behind: boolean; is_due: boolean }> {
  const [found] = await unread(db, {})
  return found!
}

/**
 * Whether nobody can write the gaps of the last turn any more. A transaction id in the future comes from another database, from which the rows
 * were copied.
 */
const mayTurn = sql`(turned_at < now() - make_interval(secs => ${sql.lit(gapsLastSeconds)})
  and not coalesce(turned_xid > pg_snapshot_xmin(pg_current_snapshot()) and turned_xid <= pg_snapshot_xmax(pg_current_snapshot()), false))`

/** Uses the index of ids, however large the tables are, since the planner does not know the place and the gaps. */
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

/** The rows that have appeared in the gaps of the current place. */
function lateIn(of: string) {
  return sql`(
    select found.id from unnest(gaps + old_gaps) as gap cross join lateral (
      select id from ${sql.table(of)} where id >= lower(gap) and id < upper(gap) order by id limit ${sql.lit(batchSize)}) as found
    limit ${sql.lit(batchSize)})`
}

/** Indexes one batch of each table. Returns how many texts were read: 0 if another process is at it and `others` is `leave`. */
async function indexBatch(db: Db, others: 'wait' | 'leave'): Promise<number> {
  return await transaction(db, async db => {
    const places = await (others === 'wait' ? lockPlaces : lockFreePlaces)(db, {})
    if (places.length < readTables.length) return 0
    let texts = 0
    for (const index of indexOne) texts += (await index(db, {}))[0]?.texts ?? 0
    return texts
  })
}

// No timeout, since some texts may have half a million characters.
const lockPlaces = prepared(db => ({ compile: () => placesForUpdate(sql``).compile(db) }))
const lockFreePlaces = prepared(db => ({ compile: () => placesForUpdate(sql` skip locked`).compile(db) }))

function placesForUpdate(others: RawBuilder<unknown>) {
  return sql<{
    name: string
  }>`select name, set_config('statement_timeout', '0', true) from search_places order by name for update${others}`
}

/**
 * Continues from the place of one table, in one statement. Rows that its snapshot does not show stay gaps or lie ahead. A row locked for a
 * possible delete stays a gap as well: words never outlive their row. Existing words are newer, made by an update of the row: they are kept,
 * even if that update is not committed yet and has to be waited for. Gaps are given up when no transaction that could fill them is left: those
 * of the turn before last, once every transaction of that time has ended and `gapsLastSeconds` have passed, since an id may be drawn a moment
 * before its transaction has a number.
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
