import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Rules: tickets for which the time is over already, runs that are made again, timers that are tried again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Also those tickets are taken for which the time was over before the rule was switched on.
  await sql`alter table rule_fills add column takes_existing boolean default false not null`.execute(db)
  // When a run that a budget had stopped was made again, which it is once.
  await sql`alter table rule_runs add column again_at timestamptz`.execute(db)
  // A timer that could not fire is tried again then.
  await sql`alter table rule_timers add column retry_at timestamptz`.execute(db)
  await sql`create index rule_timers_retry_index on rule_timers (retry_at) where retry_at is not null`.execute(db)
}
