import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { inTurn } from '../../lib/background-turn.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type Db, prepared } from '../db.ts'

/**
 * Something that falls due at an instant of the desk's clock: a snooze that ends, a promise that is broken. `src/operation/clock/due-work.ts`
 * lists all. Normally one process at a time asks every five seconds; a clock that is moved by an admin (`moveClock`) stops at each instant at which
 * something falls due, so that `act.now` is that instant.
 */
export interface DueWork {
  name: string
  /** When the next falls due, or fell due and is not done; null if nothing waits. Reads one row of an index. */
  nextDueAt(): Promise<Date | null>
  /**
   * Does what is due at `now`, in order, at most `dueBatch` of it, and returns how much it did. Each thing is claimed by a conditional UPDATE,
   * because several processes may be at it.
   */
  runDue(now: Date): Promise<number>
}

/** How much a work does at a time. */
export const dueBatch = 500

const pollMilliseconds = 5_000
/** After this time without a sign of life of the process that does the work, another one takes over. */
const leaseSeconds = 15

interface DueServices {
  db: Db
  clock: Clock
  log: Log
}

/** Does what falls due until `signal` is aborted: one process of an installation at a time. */
export async function keepDoingDueWork(services: DueServices, work: readonly DueWork[], signal: AbortSignal) {
  const holder = randomUUID()
  while (!signal.aborted) {
    await doDueWork(services, work, { holder, signal }).catch(error =>
      services.log.warn({ err: error }, 'What has fallen due is waiting')
    )
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
}

/** Does all that is due by now, unless another process is at it. Throws `AggregateError` at the end if a work has failed. */
export async function doDueWork(
  { db, clock }: Pick<DueServices, 'db' | 'clock'>,
  work: readonly DueWork[],
  { holder, signal }: { holder: string; signal?: AbortSignal }
): Promise<void> {
  await clock.follow?.()
  let waiting = await workThatIsDue(work, clock.now())
  const failures: unknown[] = []
  while (waiting.length > 0 && !signal?.aborted) {
    // The time of the database, which is the same for all processes.
    if ((await takeLease(db, { holder })).length === 0) return
    const goesOn: DueWork[] = []
    for (const each of waiting) {
      try {
        if ((await inTurn(() => each.runDue(clock.now()))) > 0) goesOn.push(each)
      } catch (error) {
        failures.push(error)
      }
    }
    waiting = goesOn
  }
  await releaseLease(db, { holder })
  if (failures.length > 0) throw new AggregateError(failures, 'Some of what is due could not be done')
}

async function workThatIsDue(work: readonly DueWork[], now: Date): Promise<DueWork[]> {
  const due: DueWork[] = []
  for (const each of work) {
    const next = await each.nextDueAt()
    if (next !== null && next <= now) due.push(each)
  }
  return due
}

const takeLease = prepared((db, p: { holder: string }) =>
  db
    .updateTable('due_work_lease')
    .set({ holder: p.holder, leased_until: inSeconds(leaseSeconds) })
    // A lease that ends later than a whole lease from now was taken before the clock was set back.
    .where(({ or, eb }) =>
      or([
        eb('holder', '=', p.holder),
        eb('leased_until', 'is', null),
        eb('leased_until', '<', inSeconds(0)),
        eb('leased_until', '>', inSeconds(leaseSeconds))
      ])
    )
    .returning('holder')
)

const releaseLease = prepared((db, p: { holder: string }) =>
  db.updateTable('due_work_lease').set({ holder: null, leased_until: null }).where('holder', '=', p.holder)
)

function inSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(seconds)})`
}
