import { backoff, delay } from './delays-and-timeouts.js'
import { networkFailure, retryAfterSeconds } from './deskline-error.js'

/** Longer waits are left to the caller: the error contains them. */
const longestWaitSeconds = 60

/**
 * Sends a call until its response is final. A 503, and a 409 with `Retry-After` (the same call is still running), are retried after a
 * delay. If no response arrives, it is not known whether the call was executed: it is sent again only if it is repeatable.
 *
 * @param {() => Promise<Response>} attempt
 * @param {{ isRepeatable: boolean, retries: number, signal?: AbortSignal | null }} options
 * @returns {Promise<Response>}
 */
export async function sendWithRetries(attempt, { isRepeatable, retries, signal }) {
  for (let tries = 0; ; tries++) {
    const mayRetry = tries < retries
    try {
      const response = await attempt()
      const seconds = secondsToWait(response, isRepeatable)
      if (!mayRetry || seconds === undefined || seconds > longestWaitSeconds) return response
      await response.body?.cancel()
      await delay(Math.max(seconds * 1000, backoff(tries, 10_000)), signal ?? undefined)
    } catch (error) {
      signal?.throwIfAborted()
      // Browsers and Node.js throw a TypeError if the network fails; anything else is a programming error.
      if (!(error instanceof TypeError)) throw error
      if (!mayRetry || !isRepeatable) throw networkFailure(error)
      await delay(backoff(tries, 10_000), signal ?? undefined)
    }
  }
}

/**
 * Undefined if the response is final. A proxy responds with 502 and 504 if the service's response did not reach it.
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
