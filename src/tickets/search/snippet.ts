import type { MarkedWord } from './word-query.ts'

/** Put around matches. In the text itself they become square brackets. */
const marks = { begin: '⟦', end: '⟧' }

const maxLength = 300
const before = 60

/** An excerpt of `text` in one line, from a little before the first match, with marks around what was found: the words, or what was typed. */
export function snippetOf(text: string, words: readonly MarkedWord[], typed: string): string {
  const line = text
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(marks.begin, '[')
    .replaceAll(marks.end, ']')
  const matches = matchesIn(line, words)
  const found = matches.length > 0 ? matches : partIn(line, typed)
  const from = Math.max(0, (found[0]?.from ?? 0) - before)
  const start = from === 0 || line.length <= maxLength ? 0 : line.indexOf(' ', from) + 1 || from
  const end = Math.min(line.length, start + maxLength)
  let excerpt = start > 0 ? '…' : ''
  let place = start
  for (const match of found) {
    if (match.from < start || match.from >= end) continue
    const to = Math.min(match.to, end)
    excerpt += line.slice(place, match.from) + marks.begin + line.slice(match.from, to) + marks.end
    place = to
  }
  return `${excerpt}${line.slice(place, end)}${end < line.length ? '…' : ''}`.toWellFormed()
}

interface Match {
  from: number
  to: number
}

function matchesIn(line: string, words: readonly MarkedWord[]): Match[] {
  const matches: Match[] = []
  for (const { 0: word, index } of line.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const plain = folded(word)
    const isFound = words.some(({ word, isOpen }) => plain === word || (isOpen && plain.startsWith(word)))
    if (isFound) matches.push({ from: index, to: index + word.length })
  }
  return matches
}

/** A part of a word: what was typed, as it stands there. */
function partIn(line: string, typed: string): Match[] {
  const small = line.toLowerCase()
  const from = small.length === line.length ? small.indexOf(typed.toLowerCase()) : -1
  return from < 0 ? [] : [{ from, to: from + typed.length }]
}

/** As `search_fold` in the database, but for letters that are rare. */
function folded(word: string): string {
  const plain = word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll(/([aou])e/g, '$1')
}
