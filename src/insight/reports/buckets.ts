import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Question } from './question.ts'

export interface Bucket {
  from: string
  to: string
  /** At its beginning. A day on which clocks are changed has 23 or 25 hours. */
  utc_offset_minutes: number
}

/** The buckets of a question: weeks begin on Monday, the first and the last are cut (N5). */
export async function bucketsOf(db: Db, { from, to, by }: Question): Promise<Bucket[]> {
  const { rows } = await sql<Bucket>`
    select first::text as from, last::text as to,
      seconds / 60 as utc_offset_minutes
    from (
      select greatest(start::date, ${from}::date) as first, least((start + ('1 ' || ${by})::interval)::date - 1, ${to}::date) as last
      from generate_series(date_trunc(${by}, ${from}::timestamp), ${to}::timestamp, ('1 ' || ${by})::interval) as start
    ) as bucket
    cross join lateral (select extract(epoch from first::timestamp - (first::timestamp at time zone zone) at time zone 'UTC')::integer as seconds
      from report_state) as zone
    order by first`.execute(db)
  return rows
}
