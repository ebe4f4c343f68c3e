import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { DueWork } from '../../core/clock/due-work.ts'
import { type Db, prepared } from '../../core/db.ts'
import { catchUpWithLog } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import { addUpDays, cellsAtOnce } from './add-up-days.ts'
import { fillFacts } from './fill-facts.ts'
import { reportReader } from './report-reader.ts'

type ReportServices = Pick<Services, 'db' | 'clock' | 'events' | 'log'>

/** What the reports have to do beside following the log: facts that are made anew, and days that are added up again. */
export function reportWork(services: Pick<ReportServices, 'db' | 'clock'>): DueWork {
  return {
    name: 'reports',
    async nextDueAt() {
      const [waiting] = await oldestWaiting(services.db, {})
      return waiting?.since ?? null
    },
    runDue: () => someWork(services)
  }
}

async function someWork(services: Pick<ReportServices, 'db' | 'clock'>): Promise<number> {
  return (await fillFacts(services)) + (await addUpDays(services))
}

const restMilliseconds = 10_000
const failedMilliseconds = 60_000

/**
 * Keeps the days added up until `signal` is aborted. Any number of processes may: one at a time works. While people write, today changes all the time,
 * and is added up again after a rest, not without end.
 */
export async function keepAddingUp(services: ReportServices, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      while (!signal.aborted && (await someWork(services)) >= cellsAtOnce);
      await pause(restMilliseconds, undefined, { signal }).catch(() => {})
    } catch (error) {
      if (!signal.aborted) services.log.warn({ err: error }, 'Reports are waiting to be added up')
      await pause(failedMilliseconds, undefined, { signal }).catch(() => {})
    }
  }
}

/** As much as a request may wait for: a desk that is further behind says up to when its figures are whole. */
const mostBatches = 2
const mostRounds = 10

/**
 * Has the reports include what happened until now, as far as that is quickly done. On a read-only database, or when it fails, they stay as they are.
 */
export async function catchUpReports(services: ReportServices): Promise<void> {
  const { db } = services
  try {
    if (await isReadOnly(db)) return
    await sequence(services)
    await catchUpWithLog(db, reportReader(services), { mostBatches })
    for (let round = 0; round < mostRounds; round++) {
      // Mostly there is nothing: no lock is taken to see that.
      const [waiting] = await oldestWaiting(db, {})
      if (waiting?.since === null) break
      await someWork(services)
    }
  } catch (error) {
    services.log.warn({ err: error }, 'Reports could not be brought up to date')
  }
}

async function isReadOnly(db: Db): Promise<boolean> {
  const [answer] = await readOnly(db, {})
  return answer!.is_read_only
}

/** Up to when all is counted; null: until now. */
export async function countedUpTo(db: Db): Promise<Date | null> {
  const [waiting] = await oldestUncounted(db, {})
  return waiting?.since ?? null
}

const readOnly = prepared(db =>
  db.selectNoFrom(sql<boolean>`current_setting('transaction_read_only') = 'on'`.as('is_read_only'))
)

const oldestWaiting = prepared(db =>
  db.selectNoFrom(({ fn, selectFrom }) => [
    fn<Date | null>('least', [
      selectFrom('report_state').select('filling_since'),
      selectFrom('report_dirty').select('since').orderBy('since').limit(sql.lit(1))
    ]).as('since')
  ])
)

/** When the oldest event happened that is not counted; while facts are made anew, when the next ticket was opened. */
const oldestUncounted = prepared(db =>
  db.selectNoFrom(({ fn, selectFrom }) => [
    fn<Date | null>('least', [
      selectFrom('tickets')
        .where('tickets.id', '>', selectFrom('report_state').select('filled_up_to'))
        .select('tickets.created_at')
        .orderBy('tickets.id')
        .limit(sql.lit(1)),
      selectFrom('report_dirty').select('since').orderBy('since').limit(sql.lit(1)),
      selectFrom('event_places')
        .innerJoin('events', 'events.id', 'event_places.event_id')
        .where('place', '>', selectFrom('event_readers').where('name', '=', sql.lit('reports')).select('place'))
        .select('events.created_at')
        .orderBy('place')
        .limit(sql.lit(1))
    ]).as('since')
  ])
)
