/** A piece of two texts: in both, only in the former, or only in the latter. */
export interface DiffPiece {
  kind: 'same' | 'gone' | 'new'
  text: string
}

/** Beyond so many comparisons a passage counts as written anew: nobody reads such a difference word by word. */
const mostComparisons = 4_000_000

/** What has become of a text: compared by lines, and within changed lines by words. */
export function diffTexts(former: string, latter: string): DiffPiece[] {
  const pieces: DiffPiece[] = []
  const lines = diff(former.split(/(?<=\n)/), latter.split(/(?<=\n)/))
  for (let at = 0; at < lines.length; at++) {
    const [one, other] = [lines[at]!, lines[at + 1]]
    if (one.kind === 'gone' && other?.kind === 'new') {
      for (const piece of diff(wordsOf(one.text), wordsOf(other.text))) add(pieces, piece)
      at++
    } else add(pieces, one)
  }
  return pieces
}

function wordsOf(text: string): string[] {
  return text.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)/)
}

/** What is gone stands before what is new in its place. */
function diff(former: readonly string[], latter: readonly string[]): DiffPiece[] {
  let start = 0
  while (start < former.length && start < latter.length && former[start] === latter[start]) start++
  let end = 0
  const least = Math.min(former.length, latter.length) - start
  while (end < least && former.at(-1 - end) === latter.at(-1 - end)) end++
  const pieces: DiffPiece[] = []
  for (const text of former.slice(0, start)) add(pieces, { kind: 'same', text })
  for (const piece of changed(former.slice(start, former.length - end), latter.slice(start, latter.length - end))) {
    add(pieces, piece)
  }
  for (const text of former.slice(former.length - end)) add(pieces, { kind: 'same', text })
  return pieces
}

/** By the longest common subsequence. */
function changed(former: readonly string[], latter: readonly string[]): DiffPiece[] {
  const width = latter.length + 1
  const all: DiffPiece[] = [
    { kind: 'gone', text: former.join('') },
    { kind: 'new', text: latter.join('') }
  ]
  if (former.length * latter.length > mostComparisons) return all
  const common = new Uint32Array((former.length + 1) * width)
  for (let i = former.length - 1; i >= 0; i--) {
    for (let j = latter.length - 1; j >= 0; j--) {
      common[i * width + j] =
        former[i] === latter[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const pieces: DiffPiece[] = []
  let [i, j] = [0, 0]
  let [gone, fresh] = ['', '']
  const flush = () => {
    add(pieces, { kind: 'gone', text: gone })
    add(pieces, { kind: 'new', text: fresh })
    gone = fresh = ''
  }
  while (i < former.length || j < latter.length) {
    if (i < former.length && j < latter.length && former[i] === latter[j]) {
      flush()
      add(pieces, { kind: 'same', text: former[i]! })
      i++
      j++
    } else if (
      j === latter.length ||
      (i < former.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    ) {
      gone += former[i++]
    } else fresh += latter[j++]
  }
  flush()
  return pieces
}

function add(pieces: DiffPiece[], { kind, text }: DiffPiece): void {
  const last = pieces.at(-1)
  if (text === '') return
  if (last?.kind === kind) last.text += text
  else pieces.push({ kind, text })
}
