import { setTimeout as pause } from 'node:timers/promises'
import { failure } from '../../kit/errors.ts'
import { catchUpWithLog, type LogReader } from '../events/follow-log.ts'
import { newestPosition, sequence } from '../events/read-events.ts'
import type { Services } from '../services.ts'
import { clockMovedTo, setClock } from './desk-clock.ts'
import type { DueWork } from './due-work.ts'

export const ClockGoesBack = failure(
  409,
  'clock_goes_back',
  'The clock has been set to a later time: from then on it only goes forward'
)

/** What happens by itself as time passes. */
export interface TimedWork {
  due: readonly DueWork[]
  readers: readonly LogReader[]
}

type ClockServices = Pick<Services, 'db' | 'clock' | 'events'>

/** Another process may be doing what is due: it is waited for, but not for ever. */
const waitMilliseconds = 50
const mostWaits = 400

/**
 * Sets the clock of the desk, at which it then stands. On the way it stops at each instant at which something falls due, and goes on when that is
 * done and the readers of the event log have seen it. The first time the clock may be set to any instant. Throws `ClockGoesBack`.
 */
export async function moveClock(
  services: ClockServices,
  { due, readers }: TimedWork,
  to: (now: Date) => Date
): Promise<void> {
  const { db, clock } = services
  await clock.follow?.()
  const before = await clockMovedTo(db)
  const target = to(clock.now())
  if (before && target < before) throw ClockGoesBack({ errors: ['now'] })
  const stopAt = async (instant: Date) => {
    await setClock(db, instant)
    await clock.follow?.()
  }

  await catchUp(services, readers)
  for (let waits = 0; ; ) {
    const next = await earliest(due)
    if (next === null || next > target) break
    await stopAt(next)
    let done = 0
    for (const work of due) done += await work.runDue(clock.now())
    await catchUp(services, readers)
    if (done > 0) waits = 0
    else if (waits++ < mostWaits) await pause(waitMilliseconds)
    else throw new Error('What is due is not being done')
  }
  await stopAt(target)
}

/** Has the log read to its end, by those as well who write events about what they read. */
async function catchUp(services: ClockServices, readers: readonly LogReader[]): Promise<void> {
  for (let read = -1; ; ) {
    await sequence(services)
    const newest = await newestPosition(services.db)
    if (newest === read) return
    for (const reader of readers) await catchUpWithLog(services.db, reader)
    read = newest
  }
}

async function earliest(due: readonly DueWork[]): Promise<Date | null> {
  let earliest: Date | null = null
  for (const work of due) {
    const next = await work.nextDueAt()
    if (next && (!earliest || next < earliest)) earliest = next
  }
  return earliest
}
