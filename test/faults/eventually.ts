import { setTimeout as pause } from 'node:timers/promises'

/** Tries until it succeeds and answers what that gave; after the given time the last failure is thrown, with what was awaited. */
export async function eventually<T>(seconds: number, what: string, attempt: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + seconds * 1000; ; await pause(50)) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${what} was not to be had within ${seconds} s`, { cause: error })
    }
  }
}
