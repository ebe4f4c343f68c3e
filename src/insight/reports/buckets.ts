import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Question } from './question.ts'

export interface Bucket {
  from: string
  to: string
  /** At its beginning. A day on which clocks are changed has 23 or 25 hours. */
  utc_offset_minutes: number
}

/** The buckets of a question, and the instants at which each begins and the last one ends: a fact is found by these without its day being reckoned. */
export interface Buckets {
  days: readonly Bucket[]
  begins: readonly Date[]
  end: Date
}

/** The buckets of a question: weeks begin on Monday, the first and the last are cut (N5). */
export async function bucketsOf(db: Db, { from, to, by }: Question): Promise<Buckets> {
  const { rows } = await sql<Bucket & { begins: Date; ends: Date }>`
    select first::text as from, last::text as to, utc_offset_minutes, ${beginOf('first')} as begins, ${beginOf('last + 1')} as ends
    from (
      select greatest(start::date, ${from}::date) as first, least((start + ('1 ' || ${by})::interval)::date - 1, ${to}::date) as last
      from generate_series(date_trunc(${by}, ${from}::timestamp), ${to}::timestamp, ('1 ' || ${by})::interval) as start
    ) as bucket
    cross join report_state
    cross join lateral (
      select extract(epoch from first::timestamp - (first::timestamp at time zone zone) at time zone 'UTC')::integer / 60 as utc_offset_minutes
    ) as clock
    order by first`.execute(db)
  return {
    days: rows.map(({ begins: _, ends: __, ...bucket }) => bucket),
    begins: rows.map(({ begins }) => begins),
    end: rows.at(-1)!.ends
  }
}

/** The first instant of a day. Where clocks are set back over midnight there are two midnights, of which PostgreSQL names the second. */
function beginOf(day: string) {
  return sql<Date>`(select min(instant) from (
      select ((${sql.raw(day)})::timestamp at time zone zone) - earlier * interval '30 minutes' as instant from generate_series(0, 6) as earlier
    ) as candidates where (instant at time zone zone)::date >= ${sql.raw(day)})`
}
