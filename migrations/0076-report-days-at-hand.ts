import { type Kysely, sql } from 'kysely'
import { makeIndex } from './make-index.ts'

export const inTransaction = false
export const oldestCode = '0002-search'

/** The sums of a year are read from one place: in the table they stand with the histograms of their day, a page for each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeIndex(
    db,
    'report_days_sums',
    sql`report_days (figure, dimension, day) include (key, n, sum_seconds, sum_open_seconds)`
  )
}
