import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Desk } from './desk.ts'

/** Resolves once a statement of this desk's database waits for a lock. Needs a separate connection. */
export async function untilLockWait(desk: Desk): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(desk.db)
    if (rows.length > 0) return
  }
  assert.fail('Nobody waits')
}
