import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A table of words, with an index on its `search_blocks`. */
export interface WordTable {
  table: string
  key: string
}

interface Walk extends WordTable {
  /** The name of the queries, for use in others. */
  name: string
  /** What the index can check. */
  reach: RawBuilder<SqlBool>
  /** Whether a row matches, checked after reading it. */
  isFit: RawBuilder<SqlBool>
  /** The rank of the row with this id, computed only for the final results. */
  rank(id: RawBuilder<unknown>): RawBuilder<unknown>
  /** Queries of the same kind: if one of them finds enough, this one finds nothing. */
  unless: readonly string[]
}

/** Results per kind. */
export const maxOfKind = 100

/** The most rows that are read from the index, whether they match or not; of one block, as many as the smallest block has. */
const maxRead = 10_000
const maxReadOfBlock = 1_024

/** How ids map to the blocks of `search_blocks`: those of the lowest level have 1,024 ids, those of each higher level eight times as many. */
const blockBits = 10
const levelBits = 3
const topLevel = 4
/** A block counts as large enough from half of its length on. */
const thresholds = sql.lit(`{${[1, 2, 3, topLevel].map(level => 2 ** (blockBits + levelBits * level) / 2).join(',')}}`)

/**
 * Queries for `with recursive`, of which the last one, `name`, has the ids and ranks of the newest matching rows. It goes backwards from the
 * newest row, block by block, asking the index for one block at a time, so that it reads only as many rows as needed, however common a word is.
 * The size of the next block follows from the matches in the last one. A block with far more rows than estimated is replaced by smaller ones.
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
