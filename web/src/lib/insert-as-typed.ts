/** Inserts a text as if it were typed, so that Ctrl Z undoes it. */
export function insertAsTyped(area: HTMLTextAreaElement, text: string, from: number, to: number): void {
  area.focus()
  area.setSelectionRange(from, to)
  // Deprecated, but the only way to insert a text that Ctrl Z undoes.
  const isTyped = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text)
  if (isTyped) return
  area.setRangeText(text, from, to, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
}
