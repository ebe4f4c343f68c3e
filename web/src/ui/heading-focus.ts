let wanted = false
let forgetting: ReturnType<typeof setTimeout> | undefined

/** Called at each navigation: the next heading that appears takes the focus. On the first load the browser decides. */
export function requestHeadingFocus(): void {
  wanted = true
  // If only a filter in the address changes, no new heading appears, so the request expires.
  clearTimeout(forgetting)
  forgetting = setTimeout(() => {
    wanted = false
  }, 3000)
}

/** Focuses the heading if a navigation has requested it. Headings of lists that stay beside a thread do not call this. */
export function focusIfRequested(heading: HTMLElement | null): void {
  if (!wanted || !heading) return
  wanted = false
  heading.focus({ preventScroll: true })
}
