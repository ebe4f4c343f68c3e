let wanted = false
let forgetting: ReturnType<typeof setTimeout> | undefined

/** Said at each navigation within the pages: the next heading that appears takes the focus. Not on the first load: there the browser decides. */
export function requestHeadingFocus(): void {
  wanted = true
  // A page that stays as it is (a filter in its address) has no new heading.
  clearTimeout(forgetting)
  forgetting = setTimeout(() => {
    wanted = false
  }, 3000)
}

/** Takes the focus, if a navigation led here. Headings of lists that stay beside a thread do not ask. */
export function focusIfRequested(heading: HTMLElement | null): void {
  if (!wanted || !heading) return
  wanted = false
  heading.focus({ preventScroll: true })
}
