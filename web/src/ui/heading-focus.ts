let wanted = false

/**
 * Called at each navigation: the next heading that appears takes the focus, however long that takes. On the first load the browser decides.
 * Whoever presses something meanwhile has gone on: a heading that appears later takes nothing away from them.
 */
export function requestHeadingFocus(): void {
  wanted = true
}

addEventListener('keydown', ({ repeat }) => repeat || forget(), true)
addEventListener('pointerdown', forget, true)

/** Focuses the heading if a navigation has requested it. Headings of lists that stay beside a thread do not call this. */
export function focusIfRequested(heading: HTMLElement | null): void {
  if (!wanted || !heading) return
  wanted = false
  heading.focus({ preventScroll: true })
}

function forget(): void {
  wanted = false
}
