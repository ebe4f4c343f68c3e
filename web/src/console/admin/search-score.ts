/** How well an entry fits what was typed; 0 if one of the words is nowhere in it. */
export function scoreOf(typed: string, title: string, others: string): number {
  const wanted = folded(typed.trim())
  const words = wanted.split(/\s+/).filter(Boolean)
  const name = folded(title)
  const everywhere = `${name} ${folded(others)}`
  if (words.length === 0 || !words.every(word => everywhere.includes(word))) return 0
  if (name === wanted) return 6
  if (name.startsWith(wanted)) return 5
  if (isWordStart(name, wanted)) return 4
  if (words.every(word => name.includes(word))) return 3
  return words.every(word => isWordStart(everywhere, word)) ? 2 : 1
}

/** The part of the title that was typed, as the range of its letters; undefined if it fits by other words. */
export function foundAt(typed: string, title: string): [from: number, to: number] | undefined {
  const wanted = folded(typed.trim())
  // Letter by letter, so that the places are those of the title.
  const letters = [...title]
  const name = letters.map(letter => folded(letter).slice(0, 1) || letter).join('')
  const from = wanted ? name.indexOf(wanted) : -1
  if (from < 0) return undefined
  const lengthOf = (until: number) => letters.slice(0, until).join('').length
  return [lengthOf(from), lengthOf(from + wanted.length)]
}

function isWordStart(text: string, word: string): boolean {
  return text.startsWith(word) || /[\s(„“"'-]/.test(text[text.indexOf(word) - 1] ?? 'x')
}

/** Without accents and in lower case: "zurück" is found by "zuruck". */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
