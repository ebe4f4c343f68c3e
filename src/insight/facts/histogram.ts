/** Buckets of times, each 1.19 times as long as the one before, from a minute to 60 days: what is told by them is within 9 % of what is true. */
export const buckets = 64
const ratio = 1.19
const shortest = 60

/** The bucket of a time, from 0. */
export function bucketOf(seconds: number): number {
  if (seconds <= shortest) return 0
  return Math.min(buckets - 1, Math.floor(Math.log(seconds / shortest) / Math.log(ratio)))
}

/** The time below which this share of the times is, about: within the bucket where it falls, as far in as its place among those. */
export function aboutPercentile(histogram: readonly number[], share: number): number | null {
  const all = histogram.reduce((sum, n) => sum + n, 0)
  if (all === 0) return null
  let left = share * all
  for (const [bucket, n] of histogram.entries()) {
    if (n > 0 && left <= n) return Math.round(shortest * ratio ** (bucket + left / n))
    left -= n
  }
  return Math.round(shortest * ratio ** buckets)
}
