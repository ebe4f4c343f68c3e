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

interface RowsGiven {
  count: number
  /** All are of one height. */
  rowHeight: number
  initialOffset: number
  /** This row is always among them: the focus would be lost with it. */
  kept: number
}

interface Range {
  first: number
  last: number
  rowHeight: number
  /** No spare rows, in the moment after all rows became higher or lower. */
  isBare?: boolean
}

/** So many rows are there above and below those in sight. */
const spare = 6
/** So long after the rows have become higher or lower the spare ones come again: first is shown why. */
const bareMilliseconds = 150

/** Which rows of a list of any length are in sight, and how others come there. The element that scrolls calls `scrolled` when it does. */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  { count, rowHeight, initialOffset, kept }: RowsGiven
) {
  const [seen, setSeen] = useState<Range>(() => rangeOf(initialOffset, innerHeight, rowHeight))
  /** The height of the rows for which the list is scrolled to where it is. */
  const placed = useRef(rowHeight)
  // What was seen may be of rows of another height: then it is worked out what will be, before they are laid out.
  const isOther = seen.rowHeight !== rowHeight && scroller.current !== null
  const top = isOther ? topAfter(scroller.current!, placed.current, rowHeight, kept) : 0
  const { first, last } = isOther ? rangeOf(top, scroller.current!.clientHeight, rowHeight) : seen
  const isBare = isOther || seen.isBare === true

  const look = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const now = rangeOf(element.scrollTop, element.clientHeight, placed.current)
    setSeen(former => (isSame(former, now) ? former : { ...now, isBare: former.isBare === true }))
  }, [scroller])
  // Rows that come into sight are made a few at a time: a screen of them at once would hold up the scrolling.
  const scrolled = useCallback(() => startTransition(look), [look])

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
  useEffect(() => {
    if (!isBare) return
    const whole = () => startTransition(() => setSeen(range => ({ ...range, isBare: false })))
    const timer = setTimeout(whole, bareMilliseconds)
    return () => clearTimeout(timer)
  }, [isBare])
  useLayoutEffect(() => {
    look()
    const resized = new ResizeObserver(look)
    if (scroller.current) resized.observe(scroller.current)
    return () => resized.disconnect()
  }, [look, scroller])

  const around = isBare ? 0 : spare
  const indexes = useMemo(() => {
    const from = Math.max(0, Math.min(first, count - 1) - around)
    const to = Math.min(count - 1, last + around)
    const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
    if (kept < 0 || kept >= count) return shown
    return kept < from ? [kept, ...shown] : kept > to ? [...shown, kept] : shown
  }, [first, last, count, kept, around])

  return { indexes, last, scrolled, reveal }
}

function rangeOf(top: number, height: number, rowHeight: number): Range {
  return { first: Math.floor(top / rowHeight), last: Math.ceil((top + height) / rowHeight) - 1, rowHeight }
}

function isSame(one: Range, other: Range): boolean {
  return one.first === other.first && one.last === other.last && one.rowHeight === other.rowHeight
}

/** Where rows become higher or lower, the one that is kept stays where it is, else the one at the top. */
function topAfter({ scrollTop, clientHeight }: HTMLElement, was: number, rowHeight: number, kept: number): number {
  if (was === rowHeight) return scrollTop
  const at = kept < 0 ? Math.floor(scrollTop / was) : kept
  const below = Math.max(0, Math.min(at * was - scrollTop, clientHeight - rowHeight))
  return Math.max(0, at * rowHeight - below)
}
