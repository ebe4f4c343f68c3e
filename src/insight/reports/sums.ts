import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Dimension, Figure } from '../../core/tables/reports.ts'
import { channels } from '../../tickets/conditions/channel.ts'
import { ticketPriorities } from '../../tickets/ticket/schemas.ts'
import { isOfFacts, type Question } from './question.ts'

/** How many there are of a figure, and how many seconds they took in all. */
export interface Sum {
  figure: Figure
  n: number
  seconds: number
}

/** The sums of each day, and of each key of the group. */
export interface Sums {
  days: (Sum & { day: string })[]
  groups: (Sum & { key: number })[]
}

/**
 * What these figures add up to: from the sums of days, or from the facts if it takes more than one thing to choose them. `sinceEver`: from the
 * beginning, for what is open at the end of a day, with all before the first day on the day before it.
 */
export async function sumsOf(
  db: Db,
  question: Question,
  figures: readonly Figure[],
  { sinceEver = false } = {}
): Promise<Sums> {
  const source = isOfFacts(question) ? fromFacts(question, figures, sinceEver) : fromDays(question, figures)
  const { from, to, group } = question
  const day = sinceEver ? sql`greatest(day, ${from}::date - 1)` : sql`day`
  const chosen = sinceEver ? sql`day <= ${to}::date` : sql`day between ${from}::date and ${to}::date`
  const days = await sql<Sum & { day: string }>`
    select figure, ${day}::text as day, sum(n) as n, sum(seconds) as seconds from (${source(null)}) as counted
    where ${chosen} group by 1, 2`.execute(db)
  if (!group) return { days: days.rows, groups: [] }
  const groups = await sql<Sum & { key: number }>`
    select figure, key, sum(n) as n, sum(seconds) as seconds from (${source(group)}) as counted
    where ${chosen} group by 1, 2`.execute(db)
  return { days: days.rows, groups: groups.rows }
}

type Source = (group: Dimension | null) => RawBuilder<unknown>

function fromDays({ filter, hours }: Question, figures: readonly Figure[]): Source {
  const [[filtered, keys] = [undefined, undefined]] = Object.entries(filter)
  const seconds = sql.ref(hours === 'open' ? 'sum_open_seconds' : 'sum_seconds')
  return wanted => {
    // The groups of tags overlap, and leave out what has none: the total is that of the desk.
    const dimension = filtered ?? wanted ?? 'desk'
    const chosen = keys ? sql`and key = any(${keys}::bigint[])` : sql``
    return sql`select figure, key, day, n, ${seconds} as seconds from report_days
      where figure = any(${figures}::text[]) and dimension = ${dimension} ${chosen}`
  }
}

function fromFacts(question: Question, figures: readonly Figure[], sinceEver: boolean): Source {
  const within = sinceEver ? isUntil(question) : isWithin(question)
  return group => {
    const key = group ? keyOf(group) : sql`0::bigint`
    return sql`select figure, ${key} as key, ${dayOf} as day, value as n, ${secondsOf(question)} as seconds
      from ${factsWith(group)} where figure = any(${figures}::text[]) and ${isChosen(question)} and ${within}`
  }
}

export function secondsOf({ hours }: Pick<Question, 'hours'>): RawBuilder<number> {
  return hours === 'open' ? sql<number>`open_seconds` : sql<number>`seconds`
}

/** The day of a fact, in the zone of the reports. */
export const dayOf = sql<string>`(at at time zone (select zone from report_state))::date`

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

/** Whether a fact is of these days; found by the index of its time. */
export function isWithin({ from, to }: Pick<Question, 'from' | 'to'>): RawBuilder<boolean> {
  return sql<boolean>`(at >= (${from}::date - 2)::timestamp at time zone 'UTC' and at < (${to}::date + 2)::timestamp at time zone 'UTC'
    and ${dayOf} between ${from}::date and ${to}::date)`
}

function isUntil({ to }: Pick<Question, 'to'>): RawBuilder<boolean> {
  return sql<boolean>`at < (${to}::date + 2)::timestamp at time zone 'UTC'`
}
