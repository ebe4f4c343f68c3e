/** Words that have to be found: one, or several that stand next to one another. */
export interface Term {
  words: string[]
  /** The last of the words may go on. */
  isPrefix: boolean
  /** May not be found. */
  isNegated: boolean
}

const maxWords = 32

/** Who writes more words than that has copied them, to their ends. */
const maxBegun = 5

/**
 * What somebody looks for, as alternatives of terms that all have to be found. As in other searches "quotes" hold words together, a
 * minus excludes, OR (in capitals) offers another choice; what is written as one, such as an e-mail address, holds together too.
 * Each word may be the beginning of one, but for what is quoted, excluded or joined to others; of more than five the last alone.
 * Any text makes sense; of one without words nothing is left.
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
  // What is only excluded would be found in nearly everything.
  return withFewBegun(alternatives.filter(terms => terms.some(term => !term.isNegated)))
}

function withFewBegun(alternatives: Term[][]): Term[][] {
  const terms = alternatives.flat()
  if (terms.filter(({ isPrefix }) => isPrefix).length <= maxBegun) return alternatives
  return alternatives.map(each => each.map(term => ({ ...term, isPrefix: term.isPrefix && term === terms.at(-1) })))
}

/**
 * How else a word with German umlauts is written: ae, oe, ue for ä, ö, ü, or the other way. The words that are stored have lost their
 * accents. Not in short words, nor after letters with which "ue" is none (neue, queue), so that few other words are meant. Undefined
 * where there is no other spelling.
 */
export function otherSpelling(word: string): string | undefined {
  const small = word.toLowerCase()
  if (/[äöü]/.test(small)) return small.replace(/[äöü]/g, letter => `${plainLetters[letter]}e`)
  const other = word.length < 5 ? small : small.replace(/([ao])e|(?<![aeoq])(u)e/g, '$1$2')
  return other === small ? undefined : other
}

const plainLetters: Record<string, string> = { ä: 'a', ö: 'o', ü: 'u' }

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

/** One or two Latin letters begin too many words to be of use. */
function mayGoOn(word: string): boolean {
  return !/^[\p{Script=Latin}\p{N}]{1,2}$/u.test(word)
}
