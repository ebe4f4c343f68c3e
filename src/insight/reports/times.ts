import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Dimension, Figure } from '../../core/tables/reports.ts'
import { aboutPercentile, buckets as histogramBuckets } from '../facts/histogram.ts'
import type { Buckets } from './buckets.ts'
import { isOfFacts, type Question } from './question.ts'
import { bucketOfDay, bucketOfFact, factsWith, isChosen, isWithin, keyOf, secondsOf } from './sums.ts'

/** The median and the 90th percentile of some times. */
export interface Percentiles {
  median: number | null
  p90: number | null
  isAbout: boolean
}

/** Those of all, of each bucket by its place, and of each key of the group. */
export interface Times {
  total: Percentiles
  buckets: Map<number, Percentiles>
  groups: Map<number, Percentiles>
}

export const none: Percentiles = { median: null, p90: null, isAbout: false }

interface Asked {
  question: Question
  buckets: Buckets
  figure: Figure
}

/**
 * How long this figure took; `n`: how many there are in all. From `mostExact` on they are told by the histograms of the days, if these can be
 * asked.
 */
export async function timesOf(
  db: Db,
  asked: Asked,
  { n, mostExact }: { n: number; mostExact: number }
): Promise<Times> {
  if (n === 0) return { total: none, buckets: new Map(), groups: new Map() }
  return n >= mostExact && !isOfFacts(asked.question) ? await about(db, asked) : await exactly(db, asked)
}

async function exactly(db: Db, asked: Asked): Promise<Times> {
  const { group } = asked.question
  const rows =
    group === 'tag'
      ? // Those of groups that overlap, and leave out what has none, are not those of the total.
        [...(await exactRows(db, asked, null, ['bucket'])), ...(await exactRows(db, asked, group, ['key'])).slice(1)]
      : await exactRows(db, asked, group, group ? ['bucket', 'key'] : ['bucket'])
  const times: Times = { total: none, buckets: new Map(), groups: new Map() }
  for (const { bucket, key, found } of rows) {
    // Days that wait to be added up may tell of what there is no longer.
    if (found === null) continue
    const percentiles = { median: Math.round(found[0]), p90: Math.round(found[1]), isAbout: false }
    if (bucket !== null) times.buckets.set(bucket, percentiles)
    else if (key !== null) times.groups.set(key, percentiles)
    else times.total = percentiles
  }
  return times
}

/** Those of all, first, and of each bucket and key, in one reading of the facts. */
async function exactRows(
  db: Db,
  { question, buckets, figure }: Asked,
  group: Dimension | null,
  sets: readonly ('bucket' | 'key')[]
) {
  const column = (name: 'bucket' | 'key') => (sets.includes(name) ? sql.ref(name) : sql`null::bigint`)
  const { rows } = await sql<{ bucket: number | null; key: number | null; found: [number, number] | null }>`
    select ${column('bucket')} as bucket, ${column('key')} as key, percentile_cont(array[0.5, 0.9]) within group (order by seconds) as found
    from (
      select ${bucketOfFact(buckets)} as bucket, ${group ? keyOf(group) : sql`null::bigint`} as key, ${secondsOf(question)} as seconds
      from ${factsWith(group)} where figure = ${figure} and ${isChosen(question)} and ${isWithin(buckets)}
    ) as counted
    group by grouping sets ((), ${sql.join(sets.map(name => sql`(${sql.ref(name)})`))})
    order by ${sql.join(sets.map(name => sql`${sql.ref(name)} nulls first`))}`.execute(db)
  return rows
}

async function about(db: Db, asked: Asked): Promise<Times> {
  const { filter, group } = asked.question
  const [[filtered] = [undefined]] = Object.entries(filter)
  const ofBuckets = await histograms(db, asked, filtered ?? 'desk', bucketOfDay(asked.buckets))
  const ofGroups = group ? await histograms(db, asked, group, sql<number>`key`) : []
  const all = Array.from({ length: histogramBuckets }, (_, at) =>
    ofBuckets.reduce((sum, { counts }) => sum + counts[at]!, 0)
  )
  const told = (rows: Histogram[]) => new Map(rows.map(({ of, counts }) => [of, aboutOf(counts)]))
  return { total: aboutOf(all), buckets: told(ofBuckets), groups: told(ofGroups) }
}

interface Histogram {
  of: number
  counts: number[]
}

/** The histograms of days, added up. Taking each count by its place is several times as fast as unnesting them. */
async function histograms(
  db: Db,
  { question, figure }: Asked,
  dimension: string,
  of: RawBuilder<number>
): Promise<Histogram[]> {
  const { filter, hours, from, to } = question
  const [keys] = Object.values(filter)
  const histogram = sql.ref(hours === 'open' ? 'open_histogram' : 'histogram')
  const counts = Array.from(
    { length: histogramBuckets },
    (_, at) => sql`coalesce(sum(${histogram}[${sql.lit(at + 1)}]), 0)`
  )
  const { rows } = await sql<Histogram>`
    select ${of} as of, array[${sql.join(counts)}]::float8[] as counts from report_days
    where figure = ${figure} and dimension = ${dimension} and day between ${from}::date and ${to}::date
      and ${keys ? sql`key = any(${keys}::bigint[])` : sql`true`}
    group by 1`.execute(db)
  return rows
}

function aboutOf(counts: number[]): Percentiles {
  return { median: aboutPercentile(counts, 0.5), p90: aboutPercentile(counts, 0.9), isAbout: true }
}
