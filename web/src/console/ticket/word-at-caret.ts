/** The word at the caret, if it begins with `/` or `@`. */
export interface CaretWord {
  sign: '/' | '@'
  /** The position of its first character. */
  from: number
  to: number
  query: string
}

/** Finds the word at the caret that begins with `/` (canned replies) or `@` (colleagues). */
export function wordAtCaret(text: string, caret: number, signs: readonly ('/' | '@')[]): CaretWord | undefined {
  const before = text.slice(0, caret)
  const [, , sign, query] = /(^|\s)([/@])([^\s/@]{0,50})$/u.exec(before) ?? []
  if (query === undefined || !signs.includes(sign as '/' | '@')) return undefined
  return { sign: sign as '/' | '@', from: caret - query.length - 1, to: caret, query }
}

/** As mentions are written: `@hannah.lindqvist`. */
export function mentionOf(name: string): string {
  return `@${name.trim().toLowerCase().replace(/\s+/g, '.')}`
}
