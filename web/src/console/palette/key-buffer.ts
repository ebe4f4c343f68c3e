/** Buffers what is typed while the field that will receive it is still being loaded. */
export interface KeyBuffer {
  /** Returns the text and stops buffering. */
  take(): string
}

/** Intercepts keys, which would otherwise be shortcuts or be written into the focused field. */
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
