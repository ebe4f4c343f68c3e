/**
 * Waits; rejects if the signal is aborted meanwhile.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export async function delay(milliseconds, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const passed = new Promise(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await abortable(passed, signal).finally(() => clearTimeout(timer))
}

/**
 * Makes waiting for shared work abortable for one caller; the work itself goes on for the others.
 *
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function abortable(work, signal) {
  if (!signal) return await work
  signal.throwIfAborted()
  /** @type {() => void} */
  let abort = () => {}
  const aborted = new Promise((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work, /** @type {Promise<never>} */ (aborted)])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Rejects like a network failure if the work takes longer.
 *
 * @template T
 * @param {Promise<T>} work
 * @param {number} milliseconds
 * @returns {Promise<T>}
 */
export async function withTimeout(work, milliseconds) {
  const tooLong = new AbortController()
  const timer = setTimeout(() => tooLong.abort(new TypeError(`Nothing came for ${milliseconds} ms`)), milliseconds)
  return await abortable(work, tooLong.signal).finally(() => clearTimeout(timer))
}

/**
 * How long to wait before the next try: exponential backoff with jitter.
 *
 * @param {number} tries that have failed
 * @param {number} longest milliseconds
 */
export function backoff(tries, longest) {
  return Math.min(longest, 500 * 2 ** tries) * (0.5 + Math.random() / 2)
}
