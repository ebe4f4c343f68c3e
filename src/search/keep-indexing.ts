import { setTimeout as pause } from 'node:timers/promises'
import { makeAlarm } from '../lib/alarm.ts'
import type { Services } from '../services.ts'
import { forgetWords } from './forget-words.ts'
import { indexSome } from './index-words.ts'

/** What is told in no event, as rows from elsewhere, is found by looking. */
const lookEveryMilliseconds = 1_000
/** While others write without end, what came meanwhile is read together: a pass costs as much for one text as for many. */
const restMilliseconds = 200

/**
 * Makes words of what is written, within a second, until `signal` is aborted: whenever the log of events has grown, and every second. Any
 * number of processes may do so at the same time: one of them is at it.
 */
export async function keepIndexing(
  { db, events, log }: Pick<Services, 'db' | 'events' | 'log'>,
  signal: AbortSignal
): Promise<void> {
  const alarm = makeAlarm()
  const unsubscribe = events.subscribe(alarm.ring)
  signal.addEventListener('abort', alarm.ring)
  while (!signal.aborted) {
    const hasMore = await indexSome(db).catch(error => {
      if (!signal.aborted) log.warn({ err: error }, 'Texts are waiting to be indexed for the search')
      return false
    })
    if (hasMore || (await tidied())) continue
    await pause(restMilliseconds, undefined, { signal }).catch(() => {})
    await alarm.rung(lookEveryMilliseconds - restMilliseconds)
  }
  unsubscribe()

  async function tidied(): Promise<boolean> {
    return await forgetWords(db).catch(error => {
      if (!signal.aborted) log.warn({ err: error }, 'Search words of older messages are waiting to be deleted')
      return false
    })
  }
}
