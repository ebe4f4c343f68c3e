/** Put around matches. In the text itself they become square brackets. */
export const marks = { begin: '⟦', end: '⟧' }

const maxLength = 300

/**
 * An excerpt of `original` in one line, with marks around matches. The database has marked an excerpt of the text without some of its
 * punctuation, character for character the same length, which gives the position.
 */
export function snippetOf(original: string, marked: string, typed: string): string {
  const found = marked.replaceAll(/[⟦⟧]/g, '')
  const at = Math.max(0, withoutPunctuation(original).indexOf(found))
  let excerpt = ''
  let place = at
  for (const character of marked) {
    if (character === marks.begin || character === marks.end) excerpt += character
    else {
      excerpt += bracketed(original.slice(place, place + character.length))
      place += character.length
    }
  }
  if (!excerpt.includes(marks.begin)) excerpt = withTyped(bracketed(original), typed) ?? excerpt
  return shortened(excerpt)
}

/** The same as `search_clean` in the database. */
function withoutPunctuation(text: string): string {
  return text.replaceAll(/[-.+_@/:&<~⟦⟧]/g, ' ')
}

function bracketed(text: string): string {
  return text.replaceAll(marks.begin, '[').replaceAll(marks.end, ']')
}

/** Marks a part of a word, which the database does not mark. */
function withTyped(text: string, typed: string): string | undefined {
  const small = text.toLowerCase()
  const at = small.length === text.length ? small.indexOf(typed.toLowerCase()) : -1
  if (at < 0) return undefined
  const end = at + typed.length
  return `${text.slice(Math.max(0, at - 60), at)}${marks.begin}${text.slice(at, end)}${marks.end}${text.slice(end, end + 120)}`
}

/** Shortens an excerpt to one line; of a very long word, its beginning and what follows the first mark. */
function shortened(excerpt: string): string {
  const line = [...excerpt.replaceAll(/\s+/g, ' ').trim()]
  if (line.length <= maxLength) return line.join('')
  const first = line.indexOf(marks.begin)
  const from = first > maxLength / 2 ? first - 60 : 0
  const shown = line.slice(from, from + maxLength).join('')
  const isOpen = shown.lastIndexOf(marks.begin) > shown.lastIndexOf(marks.end)
  return `${from > 0 ? '…' : ''}${shown}${isOpen ? marks.end : ''}…`
}
