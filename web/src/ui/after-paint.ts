import { startTransition, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * What is not read first waits until the rest is on the screen: `isPainted` is false until then. Whoever wants it at once calls
 * `paintAll`, after which it is there.
 */
export function useAfterPaint(): { isPainted: boolean; paintAll(): void } {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    // The callback runs at the start of a frame, the paint is at its end, and a timeout set here fires after the paint.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(true)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  const paintAll = useCallback(() => flushSync(() => setPainted(true)), [])
  return { isPainted, paintAll }
}
