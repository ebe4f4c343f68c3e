import { signatureBegins, signatureEnds } from './html.ts'
import {
  attributionBegins,
  attributionVerb,
  forwardedMarks,
  fromLabel,
  originalMarks,
  otherLabel,
  replyMark
} from './quote-phrases.ts'
import { markSignatures } from './signatures.ts'
import { comparableLine, markLines, nextNonEmptyLine } from './text-lines.ts'

export interface SeparatedText {
  /** What the sender wrote now. Never empty if the mail has any text. */
  text: string
  /** Earlier text, and signatures. */
  quoted: string
}

const maxAttributionLines = 5
const maxAttributionCharacters = 500

/**
 * Separates the new text of a mail from quotes, above, below and between, and from signatures. Each line is read a bounded number of times. New
 * text is never folded: in doubt all is new. `isReply`: the mail replies to another one.
 */
export function separateQuotes(
  text: string,
  { isReply, isForward }: { isReply: boolean; isForward: boolean }
): SeparatedText {
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

const isQuoteLine = (line: string) => /^[ \t]{0,3}>/.test(line) && !/^>From /.test(line)

function markQuotes(lines: readonly string[], isOld: Uint8Array, isReply: boolean): void {
  const quoteLines = lines.filter(isQuoteLine).length
  let openEnd = -1
  let isAttributed = false
  for (let at = 0; at < lines.length; at++) {
    if (isOld[at] || lines[at]!.trim() === '') continue
    const attribution = attributionAt(lines, at)
    if (attribution) {
      const next = nextNonEmptyLine(lines, attribution.end)
      if (next < lines.length && isQuoteLine(lines[next]!)) {
        markLines(isOld, at, attribution.end)
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
    if (beginsEarlierMail(lines, at, isReply)) {
      openEnd = at
      break
    }
  }
  joinBlankLines(lines, isOld)
  if (openEnd >= 0) markToTheEnd(lines, isOld, openEnd)
}

/** What follows the header of an earlier mail belongs to it, unless nothing new precedes it or the text before refers to it. */
function markToTheEnd(lines: readonly string[], isOld: Uint8Array, from: number): void {
  const before = lines.filter((line, at) => at < from && !isOld[at] && comparableLine(line) !== '')
  const words = before.join(' ')
  if (before.length === 0 || pointsBelow.test(words)) {
    // Lines with > are quotes in any case.
    for (let at = from; at < lines.length; at++) if (isQuoteLine(lines[at]!)) isOld[at] = 1
    return
  }
  markLines(isOld, from, lines.length)
}

const pointsBelow =
  /\b(see|my|find|answers?|replies|comments?|responses?)\b.{0,40}\b(below|inline|in-?line|in (red|blue|green|bold|caps))\b|\b(inline|below)\b.{0,20}\b(answers?|comments?|replies|responses?)\b|\b(unten|weiter unten|im text|dazwischen|inline|in rot|in blau)\b|\b(ci-dessous|en rouge|dans le texte)\b|\b(abajo|en rojo|más abajo)\b|\b(qui sotto|in rosso|di seguito)\b|\b(hieronder|onderstaand|in het rood)\b/i

/** Empty lines within quotes belong to them. */
function joinBlankLines(lines: readonly string[], isOld: Uint8Array): void {
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.trim() !== '' || isOld[at]) continue
    const next = nextNonEmptyLine(lines, at)
    if (isOld[at - 1] && next < lines.length && isOld[next]) markLines(isOld, at, next)
    at = next - 1
  }
}

interface Attribution {
  end: number
  /** Nobody types such a line by hand. */
  isCertain: boolean
  /** It names the author and the date. */
  isComplete: boolean
}

/** "On Monday Ada wrote:", on up to five lines; the line before it is not a part of it, even without an empty line between. */
function attributionAt(lines: readonly string[], at: number): Attribution | undefined {
  const found = attributionFrom(lines, at)
  if (!found || attributionBegins.test(comparableLine(lines[at]!))) return found
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
    const line = comparableLine(lines[end]!)
    // A long address may be split from its bracket: "<a@b.example" and "> wrote:".
    const closesBracket = /^>[^>]{0,60}[:：]$/.test(line) && /<[^<>\s]+$/.test(joined)
    if (line === '' || (isQuoteLine(lines[end]!) && !closesBracket)) return undefined
    joined = `${joined} ${line}`.trim()
    if (joined.length > maxAttributionCharacters) return undefined
    if (isEnded(joined)) return attributionIn(joined, end + 1)
    const next = lines[nextNonEmptyLine(lines, end + 1)] ?? ''
    if (end === at && datedAddress.test(joined) && (isQuoteLine(next) || next.startsWith('|')))
      return { end: end + 1, isCertain: next.startsWith('|'), isComplete: true }
  }
  return undefined
}

const datedAddress = /^\d{4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}.{1,200}<[^\s<>]+@[^\s<>]+>$/
const zohoRule = /^-{2,} .{10,} -{2,}$/
const wordsAndAddress = /[<([]\s*(mailto:)?[^\s<>()[\]]+@[^\s<>()[\]]+\s*[>)\]]/
const addressAtEnd = new RegExp(`(?:^|[\\s"'(])${wordsAndAddress.source}[>)\\]'"\\s]{0,5}[^\\d<>()[\\]@:=]{0,40}[:：]$`)
const verbAtEnd = new RegExp(`${wordsAndAddress.source}\\s*(${attributionVerb.source})$`, 'iu')

/** Ends with a colon, is between dashes, or has the address and the verb at the end. */
function isEnded(joined: string): boolean {
  return /[:：]$/.test(joined) || zohoRule.test(joined) || verbAtEnd.test(joined)
}

function attributionIn(joined: string, end: number): Attribution | undefined {
  const isVerbal = attributionVerb.test(joined)
  // Without a known verb the address has to be near the end: log lines have an address and a colon too.
  const isAddressed = isVerbal ? wordsAndAddress.test(joined) : addressAtEnd.test(joined)
  const isDated = /\b\d{1,4}[./\- 年]\s?\S{1,12}[./\- 月]\s?\d{1,4}|\b\d{1,2}[:.h]\d{2}\b|\b(19|20)\d\d\b/.test(joined)
  const isToTheMinute = isDated && /\d[:.h]\d\d/.test(joined) && /(19|20)\d\d|\d\.\d/.test(joined)
  // IP addresses look like dates: "host mx.example [192.0.2.1]: 550 <ada@example.com>:".
  if (!isVerbal && !/(?<!\d)(19|20)\d\d(?!\d)/.test(joined)) return undefined
  const isComplete = isVerbal ? isDated : isAddressed && isToTheMinute
  if (!isComplete && !(isVerbal && isAddressed)) return undefined
  return { end, isCertain: isAddressed || isToTheMinute, isComplete }
}

/**
 * The header of an earlier mail as Outlook and others write it: a line of dashes, or, in a reply, several lines such as "From: …". People and
 * forms of web pages write such lines too.
 */
function beginsEarlierMail(lines: readonly string[], at: number, isReply: boolean): boolean {
  const line = comparableLine(lines[at]!)
  if (originalMarks.test(line) || replyMark.test(line)) return true
  if (!isReply) return false
  const isRule = /^[-_=–—]{3,}$/.test(line) || /^[-_]{2,}\s?[^-_]{3,60}\s?[-_]{2,}$/.test(line)
  const next = isRule ? nextNonEmptyLine(lines, at + 1) : at
  // "Message du 12/12/2016 13:20", above the head.
  const isTitled = /^[>\s]*message du\s?:?\s?\d/i.test(comparableLine(lines[next] ?? ''))
  return isHead(lines, isTitled ? next + 1 : next, isRule)
}

/** From and at least two other fields, From first unless a rule is above or all are adjacent and From has an address. */
function isHead(lines: readonly string[], at: number, isBelowRule: boolean): boolean {
  if (at >= lines.length || !/[:：]/.test(lines[at]!.slice(0, 60))) return false
  const start = comparableLine(lines[at]!)
  const isFromFirst = fromLabel.test(start)
  if (!isFromFirst && !otherLabel.test(start)) return false
  let hasFrom = isFromFirst
  let hasAddress = false
  let others = isFromFirst ? 0 : 1
  let filled = 0
  for (let next = at + 1; next < lines.length && filled < 8; next++) {
    const line = comparableLine(lines[next]!)
    const isTogether = others + (hasFrom ? 1 : 0) === next - at
    if (line === '') continue
    filled++
    if (otherLabel.test(line)) others++
    else if (fromLabel.test(line)) {
      hasFrom = true
      hasAddress ||= isTogether && /[^\s@]@[^\s@]/.test(line)
    }
  }
  return hasFrom && others >= 2 && (isFromFirst || isBelowRule || (hasAddress && others >= 3))
}

export function isForwardMark(line: string): boolean {
  return forwardedMarks.test(comparableLine(line))
}
