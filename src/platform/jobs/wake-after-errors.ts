const pollMilliseconds = 500
/** The queue's own listener waits up to 30 seconds before it reconnects: until then nobody is notified of new jobs. */
const looksUntilListening = 70

/**
 * Wakes the workers after a database outage. On their own they poll every ten seconds or less often, and rely on a listener that is slow to
 * reconnect. From the first error on, this checks whether the database accepts writes again, and then wakes the workers at each check until the
 * listener is surely back.
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
      timer ??= setInterval(look, pollMilliseconds).unref()
    },
    stop
  }
}
