/**
 * One run of `work` for all who ask while it lasts, and its result for a while after it: however often this is asked, the world
 * outside is bothered no more than once in that time. A failure is not kept.
 */
export function remembered<T>(forMilliseconds: number, work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined
  let until = 0
  return () => {
    if (current && performance.now() < until) return current
    const run = work()
    current = run
    until = Infinity
    run.then(
      () => {
        until = performance.now() + forMilliseconds
      },
      () => {
        current = undefined
      }
    )
    return run
  }
}
