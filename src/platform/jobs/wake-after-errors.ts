const lookEveryMilliseconds = 500
/** The queue's own listener waits for at most 30 seconds before it connects again: until then nobody is told of new jobs. */
const looksUntilListening = 70

/**
 * Wakes the workers while the database has just been away. On their own they look every ten seconds or less often, and rely on a listener
 * that takes its time to come back. From the first error on, this looks whether the database takes writes again, and once it does, wakes
 * them with each look until the listener is surely back.
 */
export function wakeAfterErrors({ isWritable, wake }: { isWritable(): Promise<boolean>; wake(): void }) {
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let looksLeft = 0

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const isBack = await isWritable().catch(() => false)
    isLooking = false
    if (!isBack) looksLeft = looksUntilListening
    else if (timer) wake()
    if (--looksLeft <= 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    onError() {
      looksLeft = looksUntilListening
      timer ??= setInterval(look, lookEveryMilliseconds).unref()
    },
    stop
  }
}
