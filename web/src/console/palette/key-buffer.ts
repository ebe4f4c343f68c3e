/** What is typed while something that will take it is still being loaded. */
export interface KeyBuffer {
  /** Answers the text; from now on keys are the page's again. */
  take(): string
}

/** Keeps keys from the page, which would take each for a shortcut, or write it into the field that has the focus. */
export function bufferKeys(onEscape: () => void): KeyBuffer {
  let text = ''
  function press(event: KeyboardEvent) {
    const { key } = event
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Escape') onEscape()
    else if (key === 'Backspace') text = text.slice(0, -1)
    else if (key.length === 1) text += key
    else if (key !== 'Enter') return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', press, true)
  return {
    take() {
      removeEventListener('keydown', press, true)
      return text
    }
  }
}
