import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../core/services.ts'
import { makeWakeSignal } from '../../lib/wake-signal.ts'
import { indexInBackground } from './index-words.ts'
import { pruneWords } from './prune-words.ts'

/** Rows without an event, such as imported ones, are found by polling. */
const pollMilliseconds = 1_000
/** Under constant writes, texts are indexed together: a pass costs as much for one text as for many. */
const restMilliseconds = 200

/**
 * Indexes new texts within a second, until `signal` is aborted: whenever the event log has grown, and every second. Any number of processes may
 * run this at the same time: one of them works.
 */
export async function keepIndexing(
  { db, events, log }: Pick<Services, 'db' | 'events' | 'log'>,
  signal: AbortSignal
): Promise<void> {
  const wakeSignal = makeWakeSignal()
  const unsubscribe = events.subscribe(wakeSignal.wake)
  signal.addEventListener('abort', wakeSignal.wake)
  while (!signal.aborted) {
    const hasMore = await indexInBackground(db).catch(error => {
      if (!signal.aborted) log.warn({ err: error }, 'Texts are waiting to be indexed for the search')
      return false
    })
    if (hasMore || (await tidied())) continue
    await pause(restMilliseconds, undefined, { signal }).catch(() => {})
    await wakeSignal.wait(pollMilliseconds - restMilliseconds)
  }
  unsubscribe()

  async function tidied(): Promise<boolean> {
    return await pruneWords(db).catch(error => {
      if (!signal.aborted) log.warn({ err: error }, 'Search words of older messages are waiting to be deleted')
      return false
    })
  }
}
