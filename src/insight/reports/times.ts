import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Dimension, Figure } from '../../core/tables/reports.ts'
import { aboutPercentile } from '../facts/histogram.ts'
import { isOfFacts, type Question } from './question.ts'
import { dayOf, factsWith, isChosen, isWithin, keyOf, secondsOf } from './sums.ts'

/** The median and the 90th percentile of some times. */
export interface Percentiles {
  median: number | null
  p90: number | null
  isAbout: boolean
}

/** Those of all, of each bucket by its first day, and of each key of the group. */
export interface Times {
  total: Percentiles
  buckets: Map<string, Percentiles>
  groups: Map<number, Percentiles>
}

export const none: Percentiles = { median: null, p90: null, isAbout: false }

/**
 * How long this figure took; `n`: how many there are in all. From `mostExact` on they are told by the histograms of the days, if these can be
 * asked.
 */
export async function timesOf(
  db: Db,
  question: Question,
  figure: Figure,
  { n, mostExact }: { n: number; mostExact: number }
): Promise<Times> {
  if (n === 0) return { total: none, buckets: new Map(), groups: new Map() }
  const find = n >= mostExact && !isOfFacts(question) ? about : exactly
  const { group } = question
  const total = await find(db, question, figure, 'all')
  const buckets = await find(db, question, figure, 'buckets')
  const groups = group ? await find(db, question, figure, 'groups') : new Map<string, Percentiles>()
  return {
    total: total.get('') ?? none,
    buckets,
    groups: new Map([...groups].map(([key, found]) => [Number(key), found]))
  }
}

type Of = 'all' | 'buckets' | 'groups'

/** The first day of the bucket of a day: weeks begin on Monday, and the first bucket is cut (N5). */
function bucketOf({ by, from }: Question, day: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`greatest(date_trunc(${by}, (${day})::timestamp)::date, ${from}::date)::text`
}

async function exactly(db: Db, question: Question, figure: Figure, of: Of): Promise<Map<string, Percentiles>> {
  const group = of === 'groups' ? question.group : null
  const key = of === 'all' ? sql`''` : group ? sql`${keyOf(group)}::text` : bucketOf(question, dayOf)
  const seconds = secondsOf(question)
  const { rows } = await sql<{ key: string; found: number[] }>`
    select ${key} as key, percentile_cont(array[0.5, 0.9]) within group (order by ${seconds}) as found
    from ${factsWith(group)} where figure = ${figure} and ${isChosen(question)} and ${isWithin(question)} group by 1`.execute(
    db
  )
  return new Map(
    rows.map(({ key, found: [median, p90] }) => [
      key,
      { median: Math.round(median!), p90: Math.round(p90!), isAbout: false }
    ])
  )
}

async function about(db: Db, question: Question, figure: Figure, of: Of): Promise<Map<string, Percentiles>> {
  const { filter, group, hours, from, to } = question
  const [[filtered, keys] = [undefined, undefined]] = Object.entries(filter)
  const dimension: string = filtered ?? (of === 'groups' ? (group as Dimension) : 'desk')
  const key = of === 'all' ? sql`''` : of === 'groups' ? sql`key::text` : bucketOf(question, sql`day`)
  const histogram = sql.ref(hours === 'open' ? 'open_histogram' : 'histogram')
  const { rows } = await sql<{ key: string; bucket: number; n: number }>`
    select ${key} as key, bucket::integer as bucket, sum(times) as n
    from report_days cross join lateral unnest(${histogram}) with ordinality as counted(times, bucket)
    where figure = ${figure} and dimension = ${dimension} and day between ${from}::date and ${to}::date and times > 0
      and ${keys ? sql`key = any(${keys}::bigint[])` : sql`true`}
    group by 1, 2 order by 1, 2`.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ key }) => key)].map(([key, counts]) => {
      const histogram: number[] = []
      for (const { bucket, n } of counts) histogram[bucket - 1] = n
      const full = Array.from(histogram, n => n ?? 0)
      return [key, { median: aboutPercentile(full, 0.5), p90: aboutPercentile(full, 0.9), isAbout: true }]
    })
  )
}
