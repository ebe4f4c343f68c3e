import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react'

interface RowsGiven {
  count: number
  /** All are of one height. */
  rowHeight: number
  initialOffset: number
  /** This row is always among them: the focus would be lost with it. */
  kept: number
}

/** So many rows are there above and below those in sight. */
const spare = 6

/** Which rows of a list of any length are in sight, and how others come there. The element that scrolls calls `look` when it does. */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  { count, rowHeight, initialOffset, kept }: RowsGiven
) {
  const [{ first, last }, setRange] = useState(() => rangeOf(initialOffset, innerHeight, rowHeight))

  const look = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const now = rangeOf(element.scrollTop, element.clientHeight, rowHeight)
    setRange(former => (former.first === now.first && former.last === now.last ? former : now))
  }, [scroller, rowHeight])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only where it begins.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = initialOffset
  }, [])
  useLayoutEffect(() => {
    look()
    const resized = new ResizeObserver(look)
    if (scroller.current) resized.observe(scroller.current)
    return () => resized.disconnect()
  }, [look, scroller])

  const indexes = useMemo(() => {
    const from = Math.max(0, Math.min(first, count - 1) - spare)
    const to = Math.min(count - 1, last + spare)
    const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
    if (kept < 0 || kept >= count) return shown
    return kept < from ? [kept, ...shown] : kept > to ? [...shown, kept] : shown
  }, [first, last, count, kept])

  /** As little as it takes: a row in sight stays where it is. */
  const reveal = useCallback(
    (at: number) => {
      const element = scroller.current
      if (!element) return
      const top = at * rowHeight
      const lowest = top + rowHeight - element.clientHeight
      if (element.scrollTop > top) element.scrollTop = top
      else if (element.scrollTop < lowest) element.scrollTop = lowest
    },
    [scroller, rowHeight]
  )
  return { indexes, last, look, reveal }
}

function rangeOf(top: number, height: number, rowHeight: number) {
  return { first: Math.floor(top / rowHeight), last: Math.ceil((top + height) / rowHeight) - 1 }
}
