/** A word that begins with a sign, and in which the caret is. */
export interface CaretWord {
  sign: '/' | '@'
  /** Where the sign stands. */
  from: number
  to: number
  query: string
}

/** The word at the caret that asks for a canned reply (`/`) or a colleague (`@`), if it stands alone. */
export function wordAtCaret(text: string, caret: number, signs: readonly ('/' | '@')[]): CaretWord | undefined {
  const before = text.slice(0, caret)
  const [, , sign, query] = /(^|\s)([/@])([^\s/@]{0,50})$/u.exec(before) ?? []
  if (query === undefined || !signs.includes(sign as '/' | '@')) return undefined
  return { sign: sign as '/' | '@', from: caret - query.length - 1, to: caret, query }
}

/** Writes into a text area as if it were typed, so that Ctrl Z takes it back. */
export function insertAsTyped(area: HTMLTextAreaElement, text: string, from: number, to: number): void {
  area.focus()
  area.setSelectionRange(from, to)
  // Deprecated, but the only way to insert a text that Ctrl Z undoes.
  const isTyped = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text)
  if (isTyped) return
  area.setRangeText(text, from, to, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

/** As mentions are written: `@hannah.lindqvist`. */
export function mentionOf(name: string): string {
  return `@${name.trim().toLowerCase().replace(/\s+/g, '.')}`
}
