import { setTimeout as pause } from 'node:timers/promises'

/** Whoever has waited so long goes on beside the others: nothing depends on a turn, and one that hangs holds up no other. */
const patienceMilliseconds = 500

let latest: Promise<void> = Promise.resolve()

/**
 * Does something in the background when what this process began before it is done. Side by side, the batches of all who follow the log would take every
 * core of a small machine from the requests that somebody waits for.
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const before = latest
  const done = Promise.withResolvers<void>()
  latest = done.promise
  const patience = new AbortController()
  await Promise.race([before, pause(patienceMilliseconds, undefined, { signal: patience.signal }).catch(() => {})])
  patience.abort()
  try {
    return await work()
  } finally {
    done.resolve()
  }
}
