import { setTimeout as pause } from 'node:timers/promises'

/** What was waited for took too long; it may still go on. */
export class TooLate extends Error {}

/** What `work` comes to, or a `TooLate` when that takes longer. */
export async function inTime<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = pause(milliseconds, undefined, { signal: timer.signal }).then(
    () => {
      throw new TooLate(`Nothing came within ${milliseconds} ms`)
    },
    () => work
  )
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    // Whatever comes of it now is of no interest.
    work.catch(() => {})
    late.catch(() => {})
  }
}
