import type { OutgoingAnswer } from '../../platform/outgoing/outgoing.ts'

/** The state of a delivery after an attempt. */
export type Outcome =
  | { state: 'delivered' }
  | { state: 'failed'; isGone: boolean }
  | { state: 'retrying'; inSeconds: number }

const [minute, hour] = [60, 3_600]
/** The waits after each failure, with jitter: 15 attempts within three days. The second comes within 30 s of the first, even of one that took 15. */
const waits = [
  8,
  30,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  10 * hour,
  10 * hour,
  10 * hour,
  10 * hour,
  10 * hour
]
const jitter = 0.25
const longestSeconds = 3 * 24 * hour
/** The upper bound of a receiver's `Retry-After`. */
const maxRetryAfterSeconds = 24 * hour

/**
 * `answer` is undefined when there was none. `failures` are those before this attempt, `ageSeconds` is the time since the first one.
 * `random` is from 0 to 1.
 */
export function outcomeOf(
  answer: Pick<OutgoingAnswer, 'status' | 'retryAfter'> | undefined,
  { failures, ageSeconds, now, random }: { failures: number; ageSeconds: number; now: Date; random: number }
): Outcome {
  if (answer && answer.status >= 200 && answer.status < 300) return { state: 'delivered' }
  if (answer?.status === 410) return { state: 'failed', isGone: true }
  const wait = waits[failures]
  if (wait === undefined || ageSeconds >= longestSeconds) return { state: 'failed', isGone: false }
  const own = wait * (1 - jitter + 2 * jitter * random)
  return { state: 'retrying', inSeconds: Math.max(own, wantedSeconds(answer?.retryAfter, now)) }
}

/** `Retry-After` as seconds from now: it is a number of seconds or a date. Anything else is ignored. */
function wantedSeconds(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0
  const seconds = /^\s*\d+\s*$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now.getTime()) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), maxRetryAfterSeconds)
}
