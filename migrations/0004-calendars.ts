import type { Kysely } from 'kysely'
import { runFiles } from './run-sql.ts'

/** Older code knows neither hours nor a clock that can be set, and writes none of their tables. */
export const oldestCode = '0002-search'

/** Business hours, and the clock of the desk with the work that falls due by it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runFiles(db, ['calendars.sql'])
}
