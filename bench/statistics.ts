/** The result of several rounds of one measurement. */
export interface Summary {
  median: number
  /** The quartiles: half of all rounds lie between them. */
  low: number
  high: number
  rounds: number
}

/** Median and quartiles. A value that is not a number, because a round had nothing to measure, is left out. */
export function summary(values: readonly number[]): Summary {
  const sorted = values.filter(Number.isFinite).toSorted((one, other) => one - other)
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    rounds: sorted.length
  }
}

/** The ratio of two things that were measured side by side, round by round: noise that lasts longer than a round cancels out. */
export function ratios(values: readonly number[], bases: readonly number[]): number[] {
  return values.map((value, at) => value / bases[at]!)
}

/**
 * Whether the ratios of two revisions show a difference: every round is on the same side of 1, and the median is farther from 1 than the
 * quartiles are from each other.
 */
export function isBeyondNoise(values: readonly number[]): boolean {
  const { median, low, high, rounds } = summary(values)
  if (rounds < 3) return false
  const isOneSided = values.every(value => value > 1) || values.every(value => value < 1)
  return isOneSided && Math.abs(median - 1) > high - low
}

/** The quantile of sorted values, interpolated linearly; NaN if there are none. */
export function quantile(sorted: ArrayLike<number>, part: number): number {
  if (sorted.length === 0) return Number.NaN
  const place = (sorted.length - 1) * part
  const below = Math.floor(place)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (place - below)
}
