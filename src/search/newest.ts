import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A table of words beside what they are of, with an index that knows its `search_blocks`. */
export interface WordTable {
  table: 'ticket_words' | 'message_words' | 'note_words' | 'client_words'
  key: 'ticket_id' | 'message_id' | 'note_id' | 'client_id'
}

interface Walk extends WordTable {
  /** How the queries are called, with which others go on. */
  name: string
  /** What the index can tell of a row. */
  reach: RawBuilder<SqlBool>
  /** Of a row that is read: its rank, or null where it does not fit after all. */
  rank: RawBuilder<unknown>
  /** Queries of the same kind: where one of them finds enough, this one finds nothing. */
  unless: readonly string[]
}

/** So many of a kind are enough. */
export const maxOfKind = 100

/** So many rows that the index offers are read for them, whether they fit or not; of a block a part of these. */
const maxRead = 10_000
const maxReadOfBlock = 2_500

/** How ids fall into the blocks of `search_blocks`: those of a level have 1,024 ids, or eight times as many as those of the level below. */
const blockBits = 10
const levelBits = 3
const thresholds = sql.lit(`{${[1, 2, 3, 4].map(level => 2 ** (blockBits + levelBits * level) / 2).join(',')}}`)

/**
 * Queries for `with recursive`, of which the last one, `name`, has the ids and ranks of the newest rows that fit. It goes backwards from the
 * newest row, block by block: the index is asked for the rows of one block alone, so that as many rows are read as are needed,
 * however many there are of a common word. How large the next block is follows from what was found so far. In a block with far more
 * than that foretold, it turns to a smaller one.
 */
export function newest({ name, table, key, reach, rank, unless }: Walk): RawBuilder<unknown>[] {
  const [walk, id] = [sql.table(`${name}_walk`), sql.ref(`${table}.${key}`)]
  const enough = sql.lit(maxOfKind)
  const before = unless.map(other => sql`(select count(*) from ${sql.table(other)}) < ${enough}`)
  const begins = before.length > 0 ? sql`where ${sql.join(before, sql` and `)}` : sql``
  const shift = sql`(${sql.lit(blockBits)} + ${sql.lit(levelBits)} * level)`
  const steps = sql`${walk} (top, level, passed, read, found, ids, ranks) as (
    select newest.id + 1, 0, 0::bigint, 0::bigint, 0::bigint, null::bigint[], null::real[]
      from (select max(${id}) as id from ${sql.table(table)}) as newest ${begins}
    union all
    select next.* from ${walk} as walk
      cross join lateral (
        select count(*) as read, count(rank) as found, array_agg(id) filter (where rank is not null) as ids,
          array_agg(rank) filter (where rank is not null) as ranks
        from (
          select ${id} as id, ${rank} as rank from ${sql.table(table)}
          where ${reach} and search_blocks(${id}) @> array[((top - 1) >> ${shift} << 3) + level] and ${id} < top
          limit ${sql.lit(maxReadOfBlock + 1)}) as row) as block
      cross join lateral (
        select (top - 1) >> ${shift} << ${shift} as top, walk.read + block.read as read, walk.found + block.found as found) as sum
      cross join lateral (
        select sum.top, least(level + 1, width_bucket(passed.ids * least((${enough} - sum.found) / greatest(sum.found, 1)::float,
            ${sql.lit(maxReadOfBlock)} / greatest(sum.read, 1)::float), ${thresholds}::float[])), passed.ids, sum.read, sum.found, block.ids,
            block.ranks
          from (select passed + walk.top - sum.top as ids) as passed where block.read <= ${sql.lit(maxReadOfBlock)}
        union all
        select walk.top, level - 1, passed, sum.read, walk.found, null, null where block.read > ${sql.lit(maxReadOfBlock)}) as next
      where walk.top > 1 and walk.found < ${enough} and walk.read < ${sql.lit(maxRead)})`
  return [
    steps,
    sql`${sql.table(name)} as (
      select row.* from ${walk}, unnest(ids, ranks) as row (id, rank) order by id desc limit ${enough})`
  ]
}
