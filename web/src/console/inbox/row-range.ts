/** The visible rows of a list, and the rendered ones. Both may extend beyond the ends of the list. */
export interface RowRange {
  first: number
  last: number
  from: number
  to: number
  rowHeight: number
  /** The row height has changed, so only the visible rows are rendered at first. */
  isBare?: boolean
}

/** The number of rows that are rendered above and below the visible ones. */
const spare = 6
/** The most rows that are added in one frame. */
const atOnce = 10

/** The range of the visible rows. */
export function rangeOf(top: number, height: number, rowHeight: number): RowRange {
  const first = Math.floor(top / rowHeight)
  const last = Math.ceil((top + height) / rowHeight) - 1
  return { first, last, from: first, to: last, rowHeight }
}

export function withOverscan({ first, last, rowHeight }: RowRange): RowRange {
  return { first, last, from: first - spare, to: last + spare, rowHeight }
}

/** Whether this range is rendered already. */
export function isSame(one: RowRange, other: RowRange): boolean {
  return one.first === other.first && one.last === other.last && one.rowHeight === other.rowHeight
}

export function isWhole({ first, last, from, to }: RowRange): boolean {
  return from <= first - spare && to >= last + spare
}

/** The next range to render: the rows rendered before and a few more, first visible ones, then spare ones. */
export function grown(made: RowRange, { first, last, rowHeight }: RowRange): RowRange {
  const wanted = { from: first - spare, to: last + spare }
  let from = Math.max(made.from, wanted.from)
  let to = Math.min(made.to, wanted.to)
  let left = atOnce
  // None of the rendered rows is near the visible ones.
  if (from > to) {
    from = first
    to = first - 1
  }
  const goDown = (end: number) => {
    const more = Math.max(0, Math.min(end - to, left))
    to += more
    left -= more
  }
  const goUp = (start: number) => {
    const more = Math.max(0, Math.min(from - start, left))
    from -= more
    left -= more
  }
  goUp(first)
  goDown(last)
  goDown(wanted.to)
  goUp(wanted.from)
  return { first, last, from, to, rowHeight }
}

interface Scrolled {
  scrollTop: number
  clientHeight: number
}

/** The scroll position after a change of the row height: the row to keep stays where it is on the screen, else the one at the top. */
export function topAfter({ scrollTop, clientHeight }: Scrolled, was: number, rowHeight: number, kept: number): number {
  if (was === rowHeight) return scrollTop
  const at = kept < 0 ? Math.floor(scrollTop / was) : kept
  const below = Math.max(0, Math.min(at * was - scrollTop, clientHeight - rowHeight))
  return Math.max(0, at * rowHeight - below)
}
