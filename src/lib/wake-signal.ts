import { setTimeout as pause } from 'node:timers/promises'

/** Wakes a loop that also polls. */
export interface WakeSignal {
  /** Wakes the waiting loop, or its next wait, at once. */
  wake(): void
  /** Resolves when it was rung since the last time, at the latest after `milliseconds`. */
  wait(milliseconds: number): Promise<void>
}

export function makeWakeSignal(): WakeSignal {
  let hasRung = false
  let wake = () => {}
  return {
    wake() {
      hasRung = true
      wake()
    },
    async wait(milliseconds) {
      if (!hasRung) {
        const timer = new AbortController()
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await Promise.race([promise, pause(milliseconds, undefined, { signal: timer.signal }).catch(() => {})])
        timer.abort()
      }
      hasRung = false
    }
  }
}
