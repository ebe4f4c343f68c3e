const places = new Map<number, number>()

/** Saves the scroll position of the page, by its position in the history of this window. */
export function saveScroll(at: number): void {
  places.set(at, scroller()?.scrollTop ?? 0)
}

/** Scrolls a page to where it was when it was left. */
export function restoreScroll(at: number): void {
  const top = places.get(at)
  const page = scroller()
  if (top && page) page.scrollTop = top
}

function scroller(): Element | null {
  return document.querySelector('.page')
}
