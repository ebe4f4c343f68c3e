import { setTimeout as pause } from 'node:timers/promises'

/** By what a loop is woken that looks by itself as well. */
export interface Alarm {
  /** Wakes whoever waits, or else whoever waits next, at once. */
  ring(): void
  /** Resolves when it has rung since the last time, at the latest after so many milliseconds. */
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
