import { setTimeout as pause } from 'node:timers/promises'

/** Wakes a loop that also polls. */
export interface Alarm {
  /** Wakes the waiting loop, or its next wait, at once. */
  ring(): void
  /** Resolves when it was rung since the last time, at the latest after `milliseconds`. */
  rung(milliseconds: number): Promise<void>
}

export function makeAlarm(): Alarm {
  let hasRung = false
  let wake = () => {}
  return {
    ring() {
      hasRung = true
      wake()
    },
    async rung(milliseconds) {
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
