/** The clock as a port, so that tests can advance it instead of waiting. */
export interface Clock {
  now(): Date
  /** Reads where somebody has set it; only of a clock that can be set. */
  follow?(): Promise<void>
}

export const systemClock: Clock = { now: () => new Date() }
