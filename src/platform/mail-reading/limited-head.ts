import { Transform, type TransformCallback } from 'node:stream'

const maxHeadBytes = 256 * 1024
const maxLines = 2_000
const maxSignatures = 10
const maxSignatureBytes = 8_192
const fieldStart = /^[\x21-\x39\x3b-\x7e]+[ \t]*:/

/** The header of the mail is larger than the limit. */
class HeadTooLarge extends Error {}

/**
 * Passes a mail on with only as many signatures as are checked, the topmost, and none larger than real ones: each costs a lookup at a server
 * that its author has chosen. Line breaks become CRLF, as when the mail was signed. Fails if the header is too large.
 */
export function limitedHead(): Transform {
  let head: Buffer | undefined = Buffer.alloc(0)
  let last = 0
  const asSigned = (chunk: Buffer) => {
    const fixed = withCrlf(chunk, last)
    last = chunk.at(-1) ?? last
    return fixed
  }
  const passOn = (chunk: Buffer) => {
    if (!head) return asSigned(chunk)
    head = Buffer.concat([head, chunk])
    const end = endOfHead(head)
    if ((end ?? head.length) > maxHeadBytes) throw new HeadTooLarge()
    if (end === undefined) return undefined
    const passed = Buffer.concat([limited(head.toString('latin1', 0, end)), asSigned(head.subarray(end))])
    head = undefined
    return passed
  }
  const answering = (done: TransformCallback, work: () => Buffer | undefined) => {
    try {
      done(null, work())
    } catch (error) {
      done(error as Error)
    }
  }
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => answering(done, () => passOn(chunk)),
    flush: done => answering(done, () => (head ? limited(head.toString('latin1')) : undefined))
  })
}

function endOfHead(bytes: Buffer): number | undefined {
  const [lf, crlf] = [bytes.indexOf('\n\n'), bytes.indexOf('\n\r\n')]
  const ends = [lf < 0 ? undefined : lf + 2, crlf < 0 ? undefined : crlf + 3].filter(end => end !== undefined)
  return ends.length > 0 ? Math.min(...ends) : undefined
}

function limited(head: string): Buffer {
  const lines = head.split(/\r?\n/)
  if (lines.length > maxLines) throw new HeadTooLarge()
  const kept: string[] = []
  let signatures = 0
  for (let at = 0; at < lines.length; ) {
    let end = at + 1
    while (end < lines.length && lines[end] !== '' && !fieldStart.test(lines[end]!)) end++
    const field = lines.slice(at, end).join('\r\n')
    // The mbox line before the header was never signed.
    const isOfMailbox = at === 0 && /^>?From (?![ \t]*:)/.test(field)
    const isSignature = /^dkim-signature[ \t]*:/i.test(field)
    const isKept = !isSignature || (++signatures <= maxSignatures && field.length <= maxSignatureBytes)
    if (isKept && !isOfMailbox) kept.push(field)
    at = end
  }
  return Buffer.from(kept.join('\r\n'), 'latin1')
}

function withCrlf(chunk: Buffer, before: number): Buffer {
  const text = chunk.toString('latin1')
  const fixed = text.replace(/(?<!\r)\n/g, '\r\n')
  const isSplit = text.startsWith('\n') && before === 0x0d
  if (fixed.length === text.length) return chunk
  return Buffer.from(isSplit ? fixed.slice(1) : fixed, 'latin1')
}
