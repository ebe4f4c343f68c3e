import { type Mailbox, mailboxesIn } from './addresses.ts'
import type { MailFile } from './body.ts'
import { fromName, originalMarks, otherLabel, subjectName } from './quote-phrases.ts'
import { isForwardMark, separateQuotes } from './separate-quotes.ts'

/** A forwarded mail, and what was written above it. */
export interface Forwarded {
  from: Mailbox
  subject: string | undefined
  text: string
  quoted: string
  html: string | undefined
  /** Its files; undefined if they cannot be told from those of the outer mail. */
  files: MailFile[] | undefined
  /** The new text of whoever forwarded it, without a signature. */
  above: string
}

const maxHeadLines = 40
/** Real mails have few lines that could begin a header. */
const maxHeads = 100
const replySubject = /^\s*(re|aw)\s?:/i

/**
 * The mail forwarded within the text of another: after a separator line, or without one, its header fields (From, Date, Subject and To, in any
 * order and many languages) and its text. Undefined if no such header has a sender's address.
 */
export function forwardedIn(text: string): Forwarded | undefined {
  const lines = text.split('\n')
  let heads = 0
  for (let at = 0; at < lines.length && heads < maxHeads; at++) {
    const line = labelled(lines[at]!)
    const isMark = isForwardMark(lines[at]!) || originalMarks.test(line)
    if (!isMark && !fromName.test(line)) continue
    heads++
    const head = headFrom(lines, isMark ? at + 1 : at)
    // Without a separator a header needs more fields.
    if (!head || (!isMark && head.labels < 3)) continue
    const below = lines.slice(head.end)
    const isQuoted = below.every(line => line.trim() === '' || line.startsWith('>'))
    const original = (isQuoted ? below.map(line => line.replace(/^> ?/, '')) : below).join('\n')
    const { from, subject } = head
    const words = separateQuotes(original, { isReply: replySubject.test(subject ?? ''), isForward: false })
    return { from, subject, ...words, html: undefined, files: undefined, above: textAboveForwarded(lines.slice(0, at)) }
  }
  return undefined
}

/** The text above a forwarded mail, without the separator and without a signature. */
export function textAboveForwarded(lines: readonly string[]): string {
  const text = lines.join('\n').trimEnd()
  const end = text.lastIndexOf('\n') + 1
  const words = /^[-_=–—]{5,}$/.test(text.slice(end)) ? text.slice(0, end) : text
  return words.trim() === '' ? '' : separateQuotes(words, { isReply: false, isForward: false }).text.trim()
}

interface Head {
  from: Mailbox
  subject: string | undefined
  labels: number
  end: number
}

/** The lines of a header, with possible empty lines between; a value may be on the line after its name, or continue there. */
function headFrom(lines: readonly string[], start: number): Head | undefined {
  const fields: { name: string; value: string }[] = []
  let end = start
  for (let at = start; at < Math.min(lines.length, start + maxHeadLines); at++) {
    const line = labelled(lines[at]!)
    const last = fields.at(-1)
    if (line === '') continue
    if (fromName.test(line) || otherLabel.test(line)) {
      const colon = line.search(/[:：]/) + 1
      fields.push({ name: line.slice(0, colon), value: line.slice(colon).trim() })
    } else if (last && at === end && (last.value === '' || /^[^:]*@[^:]*$/.test(line))) last.value += ` ${line}`
    else break
    end = at + 1
  }
  const from = fields.find(({ name }) => fromName.test(name))
  const [mailbox] = mailboxesIn(from?.value.replace(/\[(?:mailto:)?([^\s[\]]+@[^\s[\]]+)\]/i, '<$1>'))
  const subject = fields.find(({ name }) => subjectName.test(name))?.value.trim()
  return mailbox && fields.length >= 2 ? { from: mailbox, subject, labels: fields.length, end } : undefined
}

/** A line without quote marks, direction marks and bold marks. */
function labelled(line: string): string {
  return line
    .slice(0, 1_000)
    .replace(/^[>\s]+/, '')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/^\*+([^*:：]{1,40}\s?[:：]?)\*+/, '$1')
    .trim()
}
