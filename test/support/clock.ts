import type { Clock } from '../../src/platform/clock.ts'

export interface TestClock extends Clock {
  /** Turns the clock forward (or back). */
  turn(seconds: number): void
}

/** The real time, plus the offset that a test has set. */
export function testClock(): TestClock {
  let offsetMilliseconds = 0
  return {
    now: () => new Date(Date.now() + offsetMilliseconds),
    turn(seconds) {
      offsetMilliseconds += seconds * 1000
    }
  }
}
