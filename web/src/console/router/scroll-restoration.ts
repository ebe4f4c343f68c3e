const places = new Map<number, number>()

/** How far the page was scrolled when it was left, by its place in the history of this window. */
export function saveScroll(at: number): void {
  places.set(at, scroller()?.scrollTop ?? 0)
}

/** Who comes back finds the page where it was left. */
export function restoreScroll(at: number): void {
  const top = places.get(at)
  const page = scroller()
  if (top && page) page.scrollTop = top
}

function scroller(): Element | null {
  return document.querySelector('.page')
}
