/**
 * Caches `work`: concurrent callers share one run, and its result is kept for a while, so that the outside world is asked no more than once in
 * that time. Failures are not cached. How long may depend on the result.
 */
export function cached<T>(forMilliseconds: number | ((result: T) => number), work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined
  let until = 0
  return () => {
    if (current && performance.now() < until) return current
    const run = work()
    current = run
    until = Infinity
    run.then(
      result => {
        until = performance.now() + (typeof forMilliseconds === 'number' ? forMilliseconds : forMilliseconds(result))
      },
      () => {
        current = undefined
      }
    )
    return run
  }
}
