import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Dimension, Figure } from '../../core/tables/reports.ts'
import { ticketPriorities } from '../../core/tables/tickets.ts'
import { channels } from '../../tickets/conditions/channel.ts'
import type { Buckets } from './buckets.ts'
import { isOfFacts, type Question } from './question.ts'

/** How many there are of a figure, and how many seconds they took in all. */
export interface Sum {
  figure: Figure
  n: number
  seconds: number
}

/** The sums of each bucket, by its place, and of each key of the group. */
export interface Sums {
  buckets: (Sum & { bucket: number })[]
  groups: (Sum & { key: number })[]
}

/**
 * What these figures add up to: from the sums of days, or from the facts if it takes more than one thing to choose them. `sinceEver`: from the
 * beginning, for what is open at the end of a day, with all before the first bucket in one of the place -1.
 */
export async function sumsOf(
  db: Db,
  question: Question,
  buckets: Buckets,
  figures: readonly Figure[],
  { sinceEver = false } = {}
): Promise<Sums> {
  const asked = { question, buckets, figures, sinceEver }
  const source = isOfFacts(question) ? ofFacts(asked) : ofDays(asked)
  const { group } = question
  const sums = async (group: Dimension | null) => {
    const { rows } = await sql<Sum & { bucket: number; key: number }>`
      select figure, bucket, key, sum(n) as n, sum(seconds) as seconds from (${source(group)}) as counted group by 1, 2, 3`.execute(
      db
    )
    return rows
  }
  // The groups of tags overlap, and leave out what has none: they do not add up to the total.
  if (group === 'tag') return { buckets: await sums(null), groups: await sums(group) }
  const rows = await sums(group)
  return { buckets: rows, groups: group ? rows : [] }
}

type Source = (group: Dimension | null) => RawBuilder<unknown>

interface Asked {
  question: Question
  buckets: Buckets
  figures: readonly Figure[]
  sinceEver: boolean
}

function ofDays({ question, buckets, figures, sinceEver }: Asked): Source {
  const { filter, hours, from, to } = question
  const [[filtered, keys] = [undefined, undefined]] = Object.entries(filter)
  const seconds = sql.ref(hours === 'open' ? 'sum_open_seconds' : 'sum_seconds')
  return group => {
    const dimension = filtered ?? group ?? 'desk'
    const chosen = keys ? sql`and key = any(${keys}::bigint[])` : sql``
    return sql`select figure, ${group ? sql`key` : sql`0::bigint`} as key, ${bucketOfDay(buckets)} as bucket, n, ${seconds} as seconds
      from report_days where figure = any(${figures}::text[]) and dimension = ${dimension} ${chosen}
        and ${sinceEver ? sql`true` : sql`day >= ${from}::date`} and day <= ${to}::date`
  }
}

function ofFacts({ question, buckets, figures, sinceEver }: Asked): Source {
  const within = sinceEver ? isUntil(buckets) : isWithin(buckets)
  return group => {
    const key = group ? keyOf(group) : sql`0::bigint`
    return sql`select figure, ${key} as key, ${bucketOfFact(buckets)} as bucket, value as n, ${secondsOf(question)} as seconds
      from ${factsWith(group)} where figure = any(${figures}::text[]) and ${isChosen(question)} and ${within}`
  }
}

/** The place of the bucket of a day of `report_days`; -1: before the first. */
export function bucketOfDay({ days }: Buckets): RawBuilder<number> {
  return sql<number>`width_bucket(day, ${days.map(({ from }) => from)}::date[]) - 1`
}

/** The place of the bucket of a fact; -1: before the first. */
export function bucketOfFact({ begins }: Buckets): RawBuilder<number> {
  return sql<number>`width_bucket(at, ${begins}::timestamptz[]) - 1`
}

export function secondsOf({ hours }: Pick<Question, 'hours'>): RawBuilder<number> {
  return hours === 'open' ? sql<number>`open_seconds` : sql<number>`seconds`
}

/** The facts, once for each of their tags if they are grouped by these. */
export function factsWith(group: Dimension | null): RawBuilder<unknown> {
  return group === 'tag' ? sql`ticket_facts cross join lateral unnest(tag_ids) as tag(tag_id)` : sql`ticket_facts`
}

/** The key of a fact, as in the sums of days. */
export function keyOf(dimension: Dimension): RawBuilder<number> {
  switch (dimension) {
    case 'desk':
      return sql<number>`0::bigint`
    case 'department':
      return sql<number>`department_id`
    case 'staff':
      return sql<number>`coalesce(staff_id, 0)`
    case 'tag':
      return sql<number>`tag_id`
    case 'priority':
      return positionIn(ticketPriorities, 'priority')
    case 'organisation':
      return sql<number>`coalesce(organisation_id, 0)`
    case 'channel':
      return positionIn(channels, 'channel')
  }
}

function positionIn(values: readonly string[], column: string): RawBuilder<number> {
  return sql<number>`array_position(array[${sql.join(values.map(value => sql.lit(value)))}]::text[], ${sql.ref(column)})::bigint`
}

/** Whether a fact is among those that the question is about; of any day. */
export function isChosen({ filter }: Pick<Question, 'filter'>): RawBuilder<boolean> {
  const conditions = Object.entries(filter).map(([dimension, keys]) =>
    dimension === 'tag'
      ? sql`tag_ids && ${keys}::bigint[]`
      : sql`${keyOf(dimension as Dimension)} = any(${keys}::bigint[])`
  )
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

/** Whether a fact is in one of these buckets. */
export function isWithin(buckets: Buckets): RawBuilder<boolean> {
  return sql<boolean>`(at >= ${buckets.begins[0]} and ${isUntil(buckets)})`
}

/** Whether a fact is in one of these buckets, or before. */
export function isUntil({ end }: Buckets): RawBuilder<boolean> {
  return sql<boolean>`at < ${end}`
}
