import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A table of words beside what they are of, with an index that knows its `search_blocks`. */
export interface WordTable {
  table: string
  key: string
}

interface Walk extends WordTable {
  /** How the queries are called, with which others go on. */
  name: string
  /** What the index can tell of a row. */
  reach: RawBuilder<SqlBool>
  /** Whether a row that is read fits. */
  isFit: RawBuilder<SqlBool>
  /** The rank of what has this id, asked only of those that are found in the end. */
  rank(id: RawBuilder<unknown>): RawBuilder<unknown>
  /** Queries of the same kind: where one of them finds enough, this one finds nothing. */
  unless: readonly string[]
}

/** So many of a kind are enough. */
export const maxOfKind = 100

/** So many rows that the index offers are read for them, whether they fit or not; of a block a part of these, as many as the smallest has. */
const maxRead = 10_000
const maxReadOfBlock = 1_024

/** How ids fall into the blocks of `search_blocks`: those of a level have 1,024 ids, or eight times as many as those of the level below. */
const blockBits = 10
const levelBits = 3
const topLevel = 4
/** From half of its length on a block is large enough. */
const thresholds = sql.lit(`{${[1, 2, 3, topLevel].map(level => 2 ** (blockBits + levelBits * level) / 2).join(',')}}`)

/**
 * Queries for `with recursive`, of which the last one, `name`, has the ids and ranks of the newest rows that fit. It goes backwards from
 * the newest row, block by block: the index is asked for the rows of one block alone, so that as many rows are read as are needed,
 * however many there are of a common word. How large the next block is follows from what was found in the one before. If it has far
 * more than that foretold, it is left for smaller ones, until something is read.
 */
export function newest({ name, table, key, reach, isFit, rank, unless }: Walk): RawBuilder<unknown>[] {
  const [walk, id] = [sql.table(`${name}_walk`), sql.ref(`${table}.${key}`)]
  const enough = sql.lit(maxOfKind)
  const before = unless.map(other => sql`(select count(*) from ${sql.table(other)}) < ${enough}`)
  const begins = before.length > 0 ? sql`where ${sql.join(before, sql` and `)}` : sql``
  const shift = sql`(${sql.lit(blockBits)} + ${sql.lit(levelBits)} * level)`
  const most = sql.lit(maxReadOfBlock)
  const steps = sql`${walk} (top, level, ceiling, read, found, ids) as (
    select newest.id + 1, 0, ${sql.lit(topLevel)}, 0::bigint, 0::bigint, null::bigint[]
      from (select max(${id}) as id from ${sql.table(table)}) as newest ${begins}
    union all
    select next.* from ${walk} as walk
      cross join lateral (
        select count(*) as read, count(*) filter (where is_fit) as found, array_agg(id) filter (where is_fit) as ids,
          (top - 1) >> ${shift} << ${shift} as start
        from (
          select ${id} as id, ${isFit} as is_fit from ${sql.table(table)}
          where ${reach} and search_blocks(${id}) @> array[((top - 1) >> ${shift} << 3) + level] and ${id} < top
          limit ${sql.lit(maxReadOfBlock + 1)}) as row) as block
      cross join lateral (
        select block.start, least(level + 1, sum.ceiling, width_bucket((top - block.start) * least(
              (${enough} - sum.found) / greatest(block.found, 1)::float, ${most} / greatest(block.read, 1)::float),
            ${thresholds}::float[])), sum.ceiling, sum.read, sum.found, block.ids
          from (select walk.read + block.read as read, walk.found + block.found as found,
            case when block.read > 0 then ${sql.lit(topLevel)} else walk.ceiling end as ceiling) as sum
          where block.read <= ${most}
        union all
        select top, level - 1, level - 1, walk.read + block.read, walk.found, null where block.read > ${most}) as next
      where walk.top > 1 and walk.found < ${enough} and walk.read < ${sql.lit(maxRead)})`
  return [
    steps,
    sql`${sql.table(name)} as (
      select id, ${rank(sql`newest.id`)} as rank
      from (select row.id from ${walk}, unnest(ids) as row (id) order by id desc limit ${enough}) as newest)`
  ]
}
