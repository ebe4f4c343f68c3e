let wanted = false

/**
 * Called at each navigation: the next heading that appears takes the focus, however long that takes. On the first load the browser decides.
 * If the person presses something meanwhile, a later heading does not take the focus.
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
