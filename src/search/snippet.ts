/** Stand around what was found. In the text itself they become square brackets. */
export const marks = { begin: '⟦', end: '⟧' }

const maxLength = 300

/**
 * An excerpt of `original`, with marks around what was found, in one line. The database has marked an excerpt of the text without
 * some of its punctuation, character for character the same length: that tells the place.
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

/** What `search_clean` of the database does. */
function withoutPunctuation(text: string): string {
  return text.replaceAll(/[-.+_@/:&<~⟦⟧]/g, ' ')
}

function bracketed(text: string): string {
  return text.replaceAll(marks.begin, '[').replaceAll(marks.end, ']')
}

/** Around a part of a word, which the database does not mark. */
function withTyped(text: string, typed: string): string | undefined {
  const small = text.toLowerCase()
  const at = small.length === text.length ? small.indexOf(typed.toLowerCase()) : -1
  if (at < 0) return undefined
  const end = at + typed.length
  return `${text.slice(Math.max(0, at - 60), at)}${marks.begin}${text.slice(at, end)}${marks.end}${text.slice(end, end + 120)}`
}

/** One line of a length to read; where a word is as long as a file, its beginning and what follows the first mark. */
function shortened(excerpt: string): string {
  const line = [...excerpt.replaceAll(/\s+/g, ' ').trim()]
  if (line.length <= maxLength) return line.join('')
  const first = line.indexOf(marks.begin)
  const from = first > maxLength / 2 ? first - 60 : 0
  const shown = line.slice(from, from + maxLength).join('')
  const isOpen = shown.lastIndexOf(marks.begin) > shown.lastIndexOf(marks.end)
  return `${from > 0 ? '…' : ''}${shown}${isOpen ? marks.end : ''}…`
}
