import { setTimeout as pause } from 'node:timers/promises'

/** Repeats the attempt until it succeeds, and returns its result; after the given time throws an error with the last failure as its cause. */
export async function eventually<T>(seconds: number, what: string, attempt: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + seconds * 1000; ; await pause(50)) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${what} was not to be had within ${seconds} s`, { cause: error })
    }
  }
}
