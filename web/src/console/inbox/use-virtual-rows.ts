import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState
} from 'react'
import { grown, isSame, isWhole, type RowRange, rangeOf, topAfter, withOverscan } from './row-range.ts'

interface VirtualRowsOptions {
  count: number
  /** The height of every row. */
  rowHeight: number
  initialOffset: number
  /** This row is always rendered, because it has the focus. */
  kept: number
}

/** After a change of the row height, the rows outside the viewport are rendered again after this delay, so that the change is painted first. */
const bareMilliseconds = 150

/** Virtualizes a list of any length: which rows to render, and how to scroll to others. The scrolling element must call `scrolled`. */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  { count, rowHeight, initialOffset, kept }: VirtualRowsOptions
) {
  const [seen, setSeen] = useState<RowRange>(() => withOverscan(rangeOf(initialOffset, innerHeight, rowHeight)))
  /** The row height at the current scroll position. */
  const placed = useRef(rowHeight)
  // If the row height has changed, the visible range is computed before the layout.
  const isOther = seen.rowHeight !== rowHeight && scroller.current !== null
  const top = isOther ? topAfter(scroller.current!, placed.current, rowHeight, kept) : 0
  const range = isOther ? rangeOf(top, scroller.current!.clientHeight, rowHeight) : seen
  const { from, to } = range

  const lookFor = useCallback(
    (change: (former: RowRange, now: RowRange) => RowRange) => {
      const element = scroller.current
      if (!element) return
      const now = rangeOf(element.scrollTop, element.clientHeight, placed.current)
      setSeen(former => (isSame(former, now) ? former : change(former, now)))
    },
    [scroller]
  )
  // New visible rows are rendered a few in each frame, because a whole screen at once would delay scrolling.
  const frame = useRef(0)
  const scrolled = useCallback(() => {
    cancelAnimationFrame(frame.current)
    startTransition(() => lookFor(grown))
  }, [lookFor])
  useEffect(() => {
    if (isWhole(seen)) return
    const grow = () => startTransition(() => setSeen(range => grown(range, range)))
    const next = () => {
      frame.current = requestAnimationFrame(grow)
    }
    const timer = setTimeout(next, seen.isBare ? bareMilliseconds : 0)
    return () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame.current)
    }
  }, [seen])

  /** Scrolls as little as needed; a visible row stays where it is. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: only where it begins.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = initialOffset
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the height does is undone here.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || placed.current === rowHeight) return
    placed.current = rowHeight
    element.scrollTop = top
    if (kept >= 0) reveal(kept)
    setSeen({ ...rangeOf(element.scrollTop, element.clientHeight, rowHeight), isBare: true })
  }, [rowHeight])
  useLayoutEffect(() => {
    const look = () => lookFor((_, now) => withOverscan(now))
    look()
    const resized = new ResizeObserver(look)
    if (scroller.current) resized.observe(scroller.current)
    return () => resized.disconnect()
  }, [lookFor, scroller])

  const indexes = useMemo(() => {
    const first = Math.max(0, Math.min(from, count - 1))
    const last = Math.min(count - 1, to)
    const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
    if (kept < 0 || kept >= count) return shown
    return kept < first ? [kept, ...shown] : kept > last ? [...shown, kept] : shown
  }, [from, to, count, kept])

  return { indexes, last: range.last, scrolled, reveal }
}
