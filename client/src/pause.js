/**
 * Waits, unless the caller gives up meanwhile.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export async function pause(milliseconds, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const passed = new Promise(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await unlessAborted(passed, signal).finally(() => clearTimeout(timer))
}

/**
 * What others wait for as well goes on when one of them gives up.
 *
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function unlessAborted(work, signal) {
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
 * Fails as the network does when the work takes longer.
 *
 * @template T
 * @param {Promise<T>} work
 * @param {number} milliseconds
 * @returns {Promise<T>}
 */
export async function within(work, milliseconds) {
  const tooLong = new AbortController()
  const timer = setTimeout(() => tooLong.abort(new TypeError(`Nothing came for ${milliseconds} ms`)), milliseconds)
  return await unlessAborted(work, tooLong.signal).finally(() => clearTimeout(timer))
}

/**
 * How long to wait before the next try: twice as long each time, and never as long as others who failed at the same moment.
 *
 * @param {number} tries that have failed
 * @param {number} longest milliseconds
 */
export function backoff(tries, longest) {
  return Math.min(longest, 500 * 2 ** tries) * (0.5 + Math.random() / 2)
}
