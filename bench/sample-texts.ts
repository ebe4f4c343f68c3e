/** Random numbers from 0 to 1 that are the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const syllables = 'ba ke lo mi nu ra se to vi wa du fe go hi ja ko le pa ru sa te vo zi fa me no pe ri su ta'.split(' ')
const wordCount = 8_000

/** Invented words, the most frequent first; as in a language, the frequent ones are shorter. */
export const sampleWords: readonly string[] = Array.from({ length: wordCount }, (_, at) => {
  const parts = [at % 30, Math.floor(at / 30) % 30, (at * 7) % 30, (at * 11 + Math.floor(at / 900)) % 30]
  return parts
    .slice(0, at < 900 ? 3 : 4)
    .map(part => syllables[part])
    .join('')
})

/**
 * `count` texts of about `length` words. As in languages, the frequency of the n-th word is proportional to 1/n, and each long text has a word of
 * its own, a number.
 */
export function sampleTexts(count: number, length: number, seed: number): string[] {
  const random = randomFrom(seed)
  const word = () => sampleWords[Math.floor(wordCount ** random()) - 1]!
  return Array.from({ length: count }, (_, at) => {
    const many = Math.max(2, Math.round(length * (0.4 + 1.2 * random())))
    const sentence = Array.from({ length: many }, word).join(' ')
    const number = length > 10 ? ` ${100_000 + 7 * at}` : ''
    return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}${number}.`
  })
}

/** Search terms of medium frequency: each is in some texts, but far from all. */
export const searchTerms: readonly string[] = sampleWords.slice(600, 640)
