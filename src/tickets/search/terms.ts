/** Words that have to match: one, or several adjacent ones. */
export interface Term {
  words: string[]
  /** The last word may be a prefix. */
  isPrefix: boolean
  /** Must not match. */
  isNegated: boolean
}

const maxWords = 32

/** A search of more words was probably pasted and has no prefixes but the last. */
const maxBegun = 5

/**
 * A search as alternatives of terms that all have to match. "Quotes" hold words together, a minus excludes, OR (in capitals) separates
 * alternatives; a word with punctuation, such as an e-mail address, holds together too. Each word may be a prefix, unless it is quoted, excluded
 * or joined; of more than five words only the last. Any text is valid; without words nothing is left.
 */
export function alternativesOf(text: string): Term[][] {
  const pieces = [...text.normalize('NFC').matchAll(/(-?)"([^"]*)("|$)|([^\s"]+)/gu)]
  const alternatives: Term[][] = [[]]
  let left = maxWords

  for (const [at, [, minus, quote, end, bare]] of pieces.entries()) {
    const isLast = at === pieces.length - 1
    if (bare === 'OR' && !isLast) {
      alternatives.push([])
      continue
    }
    const isNegated = quote === undefined ? /^-[\p{L}\p{N}]/u.test(bare!) : minus === '-'
    const parts = quote === undefined ? bare!.split(/[,;|()<>[\]{}]+/) : [quote]
    for (const [place, part] of parts.entries()) {
      const words = wordsOf(part).slice(0, left)
      if (words.length === 0) continue
      left -= words.length
      const isAtEnd = isLast && place === parts.length - 1 && end !== '"'
      const isOpen = !isNegated && (isAtEnd || (quote === undefined && words.length === 1))
      alternatives.at(-1)!.push({ words, isPrefix: isOpen && mayGoOn(words.at(-1)!), isNegated })
    }
  }
  // An alternative of only exclusions would match nearly everything.
  return withFewBegun(alternatives.filter(terms => terms.some(term => !term.isNegated)))
}

function withFewBegun(alternatives: Term[][]): Term[][] {
  const terms = alternatives.flat()
  if (terms.filter(({ isPrefix }) => isPrefix).length <= maxBegun) return alternatives
  return alternatives.map(each => each.map(term => ({ ...term, isPrefix: term.isPrefix && term === terms.at(-1) })))
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

/** One or two Latin letters are the prefix of too many words. */
function mayGoOn(word: string): boolean {
  return !/^[\p{Script=Latin}\p{N}]{1,2}$/u.test(word)
}
