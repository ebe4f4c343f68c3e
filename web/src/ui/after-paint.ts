import { startTransition, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Defers rendering of what is not read first: `isPainted` is false until the rest is painted. `paintAll` renders the deferred parts at once. */
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
