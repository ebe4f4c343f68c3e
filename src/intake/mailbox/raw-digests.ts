import { createHash, type Hash } from 'node:crypto'
import { Transform } from 'node:stream'
import { mailboxesIn, messageIdsIn } from '../../platform/mail-reading/addresses.ts'
import { firstHeader, type Header, headersOf, headerText } from '../../platform/mail-reading/headers.ts'
import { repaired } from '../../platform/mail-reading/mime-parts.ts'

const maxHeadBytes = 256 * 1024
const maxSubjectCharacters = 255

/** The digests that identify a raw message. */
export interface Digests {
  sha256: string
  sizeBytes: number
  /** Whether the message was longer than what was passed on. */
  isCut: boolean
  /** Whether it begins like a message: with a header. */
  isMessage: boolean
  /** Whether a header follows other lines, which a program on the way may have added. */
  hasHeader: boolean
  messageRef: string | undefined
  /** The sender and the subject in its header. */
  sender: string | undefined
  subject: string
  dateKey: string | undefined
  bodyKey: string | undefined
}

/**
 * Passes a raw message on and computes its digests, in constant memory. Refuses more than `maxBytes`, or with `cuts` truncates there: the
 * digests are those of the beginning then.
 */
export function digestStream(maxBytes: number, { cuts = false } = {}): { stream: Transform; digests(): Digests } {
  const whole = createHash('sha256')
  const body = createHash('sha256')
  const head: Buffer[] = []
  let headBytes = 0
  let sizeBytes = 0
  let isInBody = false
  let isCut = false
  const stream = new Transform({
    transform(given: Buffer, _encoding, done) {
      const chunk = given.subarray(0, maxBytes - sizeBytes)
      if (chunk.length < given.length && !cuts) {
        done(new MessageTooLarge(`A message is larger than ${maxBytes} bytes.`))
        return
      }
      isCut ||= chunk.length < given.length
      sizeBytes += chunk.length
      whole.update(chunk)
      if (isInBody) body.update(withoutBlanks(chunk))
      else {
        head.push(chunk)
        headBytes += chunk.length
        intoBody()
      }
      done(null, chunk)
    }
  })

  /** Searches for the end of the header once it can be there. */
  function intoBody(): void {
    const bytes = Buffer.concat(head)
    const end = endOfHead(bytes)
    if (end < 0 && headBytes <= maxHeadBytes) return
    body.update(withoutBlanks(bytes.subarray(end < 0 ? bytes.length : end)))
    isInBody = true
  }

  return {
    stream,
    digests: () => ({
      ...keysOf(repaired(Buffer.concat(head)), body),
      sha256: whole.digest('hex'),
      sizeBytes,
      isCut
    })
  }
}

/** Programs that pass a mail on change its line endings and drop trailing blanks. */
function withoutBlanks(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/[\r\n\t ]+/g, ''), 'latin1')
}

/** The raw message is larger than the desk takes. */
export class MessageTooLarge extends Error {}

function endOfHead(bytes: Buffer): number {
  const [unix, windows] = [bytes.indexOf('\n\n'), bytes.indexOf('\r\n\r\n')]
  if (windows >= 0 && (unix < 0 || windows < unix)) return windows + 4
  return unix < 0 ? -1 : unix + 2
}

/**
 * The keys that identify a mail that came by another channel. Some programs use the same Message-ID for all their mails, so a key also has the
 * sender, and the date or the body.
 */
function keysOf(start: Buffer, body: Hash) {
  const end = endOfHead(start)
  const headers = headersOf(start.toString('latin1', 0, end < 0 ? start.length : end))
  const [messageRef] = messageIdsIn(firstHeader(headers, 'message-id'))
  const [from] = mailboxesIn(firstHeader(headers, 'from'))
  const keyOf = (kind: string, rest: string) =>
    messageRef &&
    createHash('sha256')
      .update(`${kind}\n${messageRef}\n${from?.email ?? ''}\n${rest}`)
      .digest('hex')
  return {
    isMessage: headers.length > 0 && /^[\x21-\x39\x3b-\x7e]{1,80}[ \t]*:/.test(start.toString('latin1', 0, 500)),
    hasHeader: new Set(headers.map(([name]) => name).filter(name => usualHeaders.has(name))).size >= 2,
    messageRef,
    sender: from?.email,
    subject: headerText(firstHeader(headers, 'subject') ?? '', undefined)
      .slice(0, maxSubjectCharacters)
      .trim(),
    dateKey: keyOf('date', firstHeader(headers, 'date') ?? ''),
    // The same bytes under another content type are another text.
    bodyKey: keyOf('body', `${body.digest('hex')}\n${kindOf(headers)}`)
  }
}

const usualHeaders = new Set(['from', 'to', 'date', 'subject', 'message-id', 'received'])

function kindOf(headers: readonly Header[]): string {
  return ['content-type', 'content-transfer-encoding']
    .map(name => (firstHeader(headers, name) ?? '').replace(/\s+/g, ' ').toLowerCase())
    .join('\n')
}
