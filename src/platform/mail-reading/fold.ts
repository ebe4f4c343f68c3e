import { signatureBegins, signatureEnds } from './html.ts'
import {
  attributionVerb,
  forwardedMarks,
  fromLabel,
  mobileSignature,
  originalMarks,
  otherLabel,
  replyMark
} from './quote-phrases.ts'

export interface Folded {
  /** What the sender wrote now. Never empty where the mail says anything. */
  text: string
  /** What was there before, and signatures. */
  quoted: string
}

const maxSignatureLines = 20
const maxSignatureCharacters = 1_500
const maxAttributionLines = 5
/** Nothing that is looked for is as long as this. */
const maxLineCharacters = 1_000
const maxAttributionCharacters = 500

/**
 * Parts what is new in a mail from what it quotes, above, below and between, and from signatures. Looks at each line a bounded number of
 * times. New words are never folded: where it cannot be told, all is new. `isReply`: the mail answers another one.
 */
export function folded(text: string, { isReply, isForward }: { isReply: boolean; isForward: boolean }): Folded {
  const lines = text.split('\n')
  const isOld = new Uint8Array(lines.length)
  if (!isForward) markQuotes(lines, isOld, isReply)
  markSignatures(lines, isOld)
  const pick = (old: number) =>
    lines
      .filter((line, at) => isOld[at] === old && line !== signatureBegins && line !== signatureEnds)
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\n+/, '')
      .trimEnd()
  const [fresh, old] = [pick(0), pick(1)]
  if (fresh.trim() !== '') return { text: fresh, quoted: old }
  return {
    text: lines
      .filter(line => line !== signatureBegins && line !== signatureEnds)
      .join('\n')
      .trim(),
    quoted: ''
  }
}

/** As it is compared: without marks of direction, stars of bold text, and blanks at the ends. */
function plain(line: string): string {
  return line
    .slice(0, maxLineCharacters)
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}

const isQuoteLine = (line: string) => /^[ \t]{0,3}>/.test(line) && !/^>From /.test(line)

function markQuotes(lines: readonly string[], isOld: Uint8Array, isReply: boolean): void {
  const quoteLines = lines.filter(isQuoteLine).length
  let openEnd = -1
  let isAttributed = false
  for (let at = 0; at < lines.length; at++) {
    if (isOld[at] || lines[at]!.trim() === '') continue
    const attribution = attributionAt(lines, at)
    if (attribution) {
      const next = nextFilled(lines, attribution.end)
      if (next < lines.length && isQuoteLine(lines[next]!)) {
        mark(isOld, at, attribution.end)
        isAttributed = true
        continue
      }
      if (attribution.isCertain || next === lines.length) {
        openEnd = at
        break
      }
    }
    if (isQuoteLine(lines[at]!) && (isReply || isAttributed || quoteLines > 1)) {
      isOld[at] = 1
      continue
    }
    if (beginsEarlierMail(lines, at)) {
      openEnd = at
      break
    }
  }
  joinBlankLines(lines, isOld)
  if (openEnd >= 0) markToTheEnd(lines, isOld, openEnd)
}

/** What follows an earlier mail's head is that mail, unless nothing new stands before it or the words before it point there. */
function markToTheEnd(lines: readonly string[], isOld: Uint8Array, from: number): void {
  const before = lines.filter((line, at) => at < from && !isOld[at] && plain(line) !== '')
  const words = before.join(' ')
  if (before.length === 0 || pointsBelow.test(words)) {
    // Lines with > are quotes in any case.
    for (let at = from; at < lines.length; at++) if (isQuoteLine(lines[at]!)) isOld[at] = 1
    return
  }
  mark(isOld, from, lines.length)
}

const pointsBelow =
  /\b(see|my|find|answers?|replies|comments?|responses?)\b.{0,40}\b(below|inline|in-?line|in (red|blue|green|bold|caps))\b|\b(inline|below)\b.{0,20}\b(answers?|comments?|replies|responses?)\b|\b(unten|weiter unten|im text|dazwischen|inline|in rot|in blau)\b|\b(ci-dessous|en rouge|dans le texte)\b|\b(abajo|en rojo|más abajo)\b|\b(qui sotto|in rosso|di seguito)\b|\b(hieronder|onderstaand|in het rood)\b/i

function mark(isOld: Uint8Array, from: number, to: number): void {
  isOld.fill(1, from, to)
}

/** Empty lines within quotes belong to them. */
function joinBlankLines(lines: readonly string[], isOld: Uint8Array): void {
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.trim() !== '' || isOld[at]) continue
    const next = nextFilled(lines, at)
    if (isOld[at - 1] && next < lines.length && isOld[next]) mark(isOld, at, next)
    at = next - 1
  }
}

function nextFilled(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]!.trim() === '') at++
  return at
}

interface Attribution {
  end: number
  /** Nobody writes so by hand. */
  isCertain: boolean
  /** It says who and when. */
  isComplete: boolean
}

/** "On Monday Ada wrote:", on up to five lines; the line before it, where no empty one stands between, is not a part of it. */
function attributionAt(lines: readonly string[], at: number): Attribution | undefined {
  const found = attributionFrom(lines, at)
  if (!found) return undefined
  for (let later = at + 1; later < found.end; later++) {
    const shorter = attributionFrom(lines, later)
    if (shorter?.isComplete && shorter.end === found.end) return undefined
  }
  return found
}

function attributionFrom(lines: readonly string[], at: number): Attribution | undefined {
  if (isQuoteLine(lines[at]!)) return undefined
  let joined = ''
  for (let end = at; end < Math.min(lines.length, at + maxAttributionLines); end++) {
    const line = plain(lines[end]!)
    if (line === '' || isQuoteLine(lines[end]!)) return undefined
    joined = `${joined} ${line}`.trim()
    if (joined.length > maxAttributionCharacters) return undefined
    if (!/[:：]$/.test(joined)) continue
    const isAddressed = /[<([]\s*(mailto:)?[^\s<>()[\]]+@[^\s<>()[\]]+\s*[>)\]]/.test(joined)
    const isDated = /\b\d{1,4}[./\- 年]\s?\S{1,12}[./\- 月]\s?\d{1,4}|\b\d{1,2}[:.h]\d{2}\b|\b(19|20)\d\d\b/.test(
      joined
    )
    const isVerbal = attributionVerb.test(joined)
    const isComplete = isDated && (isAddressed || isVerbal)
    if (isComplete || (isVerbal && isAddressed)) {
      const isToTheMinute = isDated && /\d\d[:.h]\d\d/.test(joined) && /(19|20)\d\d|\d\.\d/.test(joined)
      return { end: end + 1, isCertain: isAddressed || isToTheMinute, isComplete }
    }
    return undefined
  }
  return undefined
}

/** The head of an earlier mail as Outlook and others put it: a line of dashes, or several lines such as "From: …". */
function beginsEarlierMail(lines: readonly string[], at: number): boolean {
  const line = plain(lines[at]!)
  if (originalMarks.test(line) || replyMark.test(line)) return true
  const rule = /^[-_=–—]{5,}$/.test(line)
  if (rule || /^[-_]{2,}\s?[^-_]{3,60}\s?[-_]{2,}$/.test(line)) return isHead(lines, nextFilled(lines, at + 1))
  return isHead(lines, at)
}

function isHead(lines: readonly string[], at: number): boolean {
  if (at >= lines.length || !/[:：]/.test(lines[at]!.slice(0, 60)) || !fromLabel.test(plain(lines[at]!))) return false
  let others = 0
  let filled = 0
  for (let next = at + 1; next < lines.length && filled < 8; next++) {
    const line = plain(lines[next]!)
    if (line === '') continue
    filled++
    if (otherLabel.test(line)) others++
  }
  return others >= 2
}

export function isForwardMark(line: string): boolean {
  return forwardedMarks.test(plain(line))
}

function markSignatures(lines: readonly string[], isOld: Uint8Array): void {
  for (let at = 0; at < lines.length; at++) {
    if (isOld[at]) continue
    const line = lines[at]!
    if (line === signatureBegins) {
      const end = lines.indexOf(signatureEnds, at)
      if (end > at) at = markIfShort(lines, isOld, at, end)
    } else if (/^--[ \t]?$/.test(line) || /^— ?$/.test(line)) {
      at = markIfShort(lines, isOld, at, endOfNew(isOld, at))
    } else if (mobileSignature.test(plain(line)) && isLastOfNew(lines, isOld, at)) isOld[at] = 1
  }
}

/** A signature of many lines is none. */
function markIfShort(lines: readonly string[], isOld: Uint8Array, from: number, to: number): number {
  // Of more lines none is looked at: many may look like the beginning of a signature.
  if (to - from > maxSignatureLines * 3) return from
  const block = lines.slice(from, to)
  const isShort =
    block.filter(line => line.trim() !== '').length <= maxSignatureLines &&
    block.join('\n').length <= maxSignatureCharacters
  if (isShort) mark(isOld, from, to)
  return isShort ? to - 1 : from
}

function endOfNew(isOld: Uint8Array, at: number): number {
  const most = Math.min(isOld.length, at + maxSignatureLines * 3 + 1)
  const end = isOld.subarray(at, most).indexOf(1)
  return end < 0 ? most : at + end
}

function isLastOfNew(lines: readonly string[], isOld: Uint8Array, at: number): boolean {
  const next = nextFilled(lines, at + 1)
  return next >= lines.length || isOld[next] === 1 || lines[next] === signatureEnds || /^--[ \t]?$/.test(lines[next]!)
}
