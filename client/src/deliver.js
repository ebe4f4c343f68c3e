import { networkFailure, retryAfterSeconds } from './deskline-error.js'
import { backoff, pause } from './pause.js'

/** Longer waits are for people: the error contains them. */
const longestWaitSeconds = 60

/**
 * Sends a call until it is answered for good. An answer that says "later" is waited for: 503, and 409 with `Retry-After` (the same
 * call is still running). When no answer arrives, nobody knows whether the call was obeyed: it is sent again only where that
 * does no harm.
 *
 * @param {() => Promise<Response>} attempt
 * @param {{ isRepeatable: boolean, retries: number, signal?: AbortSignal | null }} options
 * @returns {Promise<Response>}
 */
export async function deliver(attempt, { isRepeatable, retries, signal }) {
  for (let tries = 0; ; tries++) {
    const mayRetry = tries < retries
    try {
      const response = await attempt()
      const seconds = secondsToWait(response, isRepeatable)
      if (!mayRetry || seconds === undefined || seconds > longestWaitSeconds) return response
      await response.body?.cancel()
      await pause(Math.max(seconds * 1000, backoff(tries, 10_000)), signal ?? undefined)
    } catch (error) {
      signal?.throwIfAborted()
      // Browsers and Node.js throw a TypeError if the network fails; anything else is a programming error.
      if (!(error instanceof TypeError)) throw error
      if (!mayRetry || !isRepeatable) throw networkFailure(error)
      await pause(backoff(tries, 10_000), signal ?? undefined)
    }
  }
}

/**
 * Undefined when the answer is for good. A proxy says 502 and 504 when the service's answer did not reach it.
 *
 * @param {Response} response
 * @param {boolean} isRepeatable
 */
function secondsToWait(response, isRepeatable) {
  const seconds = retryAfterSeconds(response)
  if (response.status === 503) return seconds ?? 0
  if (response.status === 409) return seconds
  if (response.status === 502 || response.status === 504) return isRepeatable ? (seconds ?? 0) : undefined
  return undefined
}
