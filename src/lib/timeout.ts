import { setTimeout as pause } from 'node:timers/promises'

/** The work took too long; it may still be running. */
export class TimedOut extends Error {}

/** The result of `work`, or a `TimedOut` if it takes longer. */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = pause(milliseconds, undefined, { signal: timer.signal }).then(
    () => {
      throw new TimedOut(`Nothing came within ${milliseconds} ms`)
    },
    () => work
  )
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    // A later result or error is ignored.
    work.catch(() => {})
    late.catch(() => {})
  }
}
