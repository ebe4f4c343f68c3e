import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../services.ts'
import { indexSome } from './index-words.ts'

const lookEveryMilliseconds = 250

/**
 * Makes words of what is written, within a second, until `signal` is aborted. Any number of processes may do so at the same time: one of
 * them is at it.
 */
export async function keepIndexing({ db, log }: Pick<Services, 'db' | 'log'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const hasMore = await indexSome(db).catch(error => {
      if (!signal.aborted) log.warn({ err: error }, 'Words for the search wait to be made')
      return false
    })
    if (!hasMore) await pause(lookEveryMilliseconds, undefined, { signal }).catch(() => {})
  }
}
