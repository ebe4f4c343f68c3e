import { sql } from 'kysely'
import { prepared, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Dimension, Figure, TicketFactTable } from '../../core/tables/reports.ts'
import { ticketPriorities } from '../../core/tables/tickets.ts'
import { channels } from '../../tickets/conditions/channel.ts'
import { bucketOf, buckets } from './histogram.ts'
import { lockReports } from './report-state.ts'
import { dayOfFact } from './store-facts.ts'

/** Days of one figure: a day of a large desk has some thousand facts. */
export const cellsAtOnce = 20

/**
 * Adds up some of the days of which facts have changed: each as a whole, never by a difference, so that it is always what its facts add up to.
 * Returns how many there were.
 */
export async function addUpDays({ db }: Pick<Services, 'db'>): Promise<number> {
  return await transaction(db, async db => {
    await lockReports(db)
    const cells = await takeDirty(db, { limit: cellsAtOnce })
    if (cells.length === 0) return 0
    const named = JSON.stringify(cells)
    const facts = await factsOf(db, { cells: named })
    await removeDays(db, { cells: named })
    const days = [...addedUp(facts)]
    if (days.length > 0) await insertDays(db, { days: JSON.stringify(days) })
    return cells.length
  })
}

type DayFact = Omit<TicketFactTable, 'ticket_id' | 'number' | 'at'> & { day: string }

interface Sum {
  figure: Figure
  dimension: Dimension
  key: number
  day: string
  n: number
  sum_seconds: number
  sum_open_seconds: number
  histogram: number[] | null
  open_histogram: number[] | null
}

function addedUp(facts: readonly DayFact[]): Iterable<Sum> {
  const sums = new Map<string, Sum>()
  for (const fact of facts) {
    for (const [dimension, key] of keysOf(fact)) {
      const name = `${fact.figure} ${fact.day} ${dimension} ${key}`
      const sum = sums.get(name) ?? emptySum(fact, dimension, key)
      sums.set(name, sum)
      sum.n += fact.value
      if (fact.seconds === null || fact.open_seconds === null) continue
      sum.sum_seconds += fact.seconds
      sum.sum_open_seconds += fact.open_seconds
      sum.histogram = counted(sum.histogram, fact.seconds)
      sum.open_histogram = counted(sum.open_histogram, fact.open_seconds)
    }
  }
  return sums.values()
}

function keysOf(fact: DayFact): [Dimension, number][] {
  return [
    ['desk', 0],
    ['department', fact.department_id],
    ['staff', fact.staff_id ?? 0],
    ['priority', keyOfPriority(fact.priority)],
    ['organisation', fact.organisation_id ?? 0],
    ['channel', keyOfChannel(fact.channel)],
    ...(fact.tag_ids ?? []).map(tag => ['tag', tag] as [Dimension, number])
  ]
}

export function keyOfPriority(priority: string): number {
  return (ticketPriorities as readonly string[]).indexOf(priority) + 1
}

export function keyOfChannel(channel: string): number {
  return (channels as readonly string[]).indexOf(channel) + 1
}

function emptySum({ figure, day }: DayFact, dimension: Dimension, key: number): Sum {
  const ofTimes = { sum_seconds: 0, sum_open_seconds: 0, histogram: null, open_histogram: null }
  return { figure, dimension, key, day, n: 0, ...ofTimes }
}

function counted(histogram: number[] | null, seconds: number): number[] {
  const counts = histogram ?? Array<number>(buckets).fill(0)
  counts[bucketOf(seconds)]! += 1
  return counts
}

/** The newest days first: they are looked at most. */
const takeDirty = prepared((db, p: { limit: number }) =>
  db
    .deleteFrom('report_dirty')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('figure', 'day'),
        'in',
        selectFrom('report_dirty as dirty')
          .select(['dirty.figure', 'dirty.day'])
          .orderBy('dirty.day', 'desc')
          .limit(p.limit)
          .$asTuple('figure', 'day')
      )
    )
    .returning(['figure', sql<string>`day::text`.as('day')])
)

const cellsOf = (cells: string) => sql<{ figure: Figure; day: string }>`json_to_recordset(${cells}::json)`

/** The facts of each day by the index of their time: an hour more on either side, since clocks may be set back over midnight. */
const factsOf = prepared((db, p: { cells: string }) =>
  db
    .selectFrom(cellsOf(p.cells).as<'cell'>(sql`cell(figure text, day date)`))
    .innerJoinLateral(
      db =>
        db
          .selectFrom('ticket_facts')
          .whereRef('ticket_facts.figure', '=', 'cell.figure')
          .where(sql<boolean>`at >= (cell.day::timestamp at time zone (select zone from report_state)) - interval '3 hours'
            and at < ((cell.day + 1)::timestamp at time zone (select zone from report_state)) + interval '3 hours'
            and ${dayOfFact} = cell.day`)
          .select(['ticket_facts.figure', 'value', 'seconds', 'open_seconds', 'staff_id'])
          .select(['department_id', 'priority', 'channel', 'organisation_id', 'tag_ids'])
          // Not to be joined in another way, which would read the facts of all days.
          .offset(sql.lit(0))
          .as('fact'),
      join => join.onTrue()
    )
    .selectAll('fact')
    .select(sql<string>`cell.day::text`.as('day'))
)

const removeDays = prepared((db, p: { cells: string }) =>
  db
    .deleteFrom('report_days')
    .using(cellsOf(p.cells).as<'cell'>(sql`cell(figure text, day date)`))
    .whereRef('report_days.figure', '=', 'cell.figure')
    .whereRef('report_days.day', '=', 'cell.day')
)

const columns = [
  ...(['figure', 'dimension', 'key', 'day', 'n', 'sum_seconds', 'sum_open_seconds'] as const),
  ...(['histogram', 'open_histogram'] as const)
] as const

const insertDays = prepared((db, p: { days: string }) =>
  db
    .insertInto('report_days')
    .columns(columns)
    .expression(db =>
      db
        .selectFrom(
          sql<{ [Column in (typeof columns)[number]]: never }>`json_to_recordset(${p.days}::json)`.as<'sums'>(sql`sums(
            figure text, dimension text, key bigint, day date, n bigint, sum_seconds bigint, sum_open_seconds bigint,
            histogram integer[], open_histogram integer[])`)
        )
        .select(columns)
    )
)
