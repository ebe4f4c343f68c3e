/** Decodes as much as possible: truncated or corrupt base64, and invalid escapes. */
export function decoded(body: Buffer, given: string): Buffer {
  const encoding = given.toLowerCase().replace(/["'\s;].*$/, '')
  if (/^base-?64$/.test(encoding)) return isBase64(body) ? fromBase64(body) : body
  if (/^(quoted-?printable|q-?p)$/.test(encoding)) return fromQuotedPrintable(body)
  if (/^(x-)?uu/.test(encoding)) return fromUuencode(body.toString('latin1')) ?? body
  return body
}

/** False for plain text labelled as base64: it has blanks within its lines. */
function isBase64(body: Buffer): boolean {
  const lines = body.toString('latin1', 0, 4_000).split(/[\r\n]+/)
  const filled = lines.filter(line => line.trim() !== '')
  return filled.filter(line => /\S[ \t]+\S/.test(line.split('=', 1)[0]!)).length * 2 <= filled.length
}

const chunkBytes = 64 * 1024
/** Finds text, or a line of dashes above it, after an empty line. Without padding before it, it would be read as base64. */
const beginsWords = /\n[ \t\r]{0,100}\n(?=[^\n]{0,200}?[A-Za-z] [A-Za-z]|[_-]{10})/

/**
 * Decoded in chunks, since a message may be large. Several runs may follow one another, each with its own padding; text after the padding is a
 * footer added by a list.
 */
function fromBase64(body: Buffer): Buffer {
  const result = Buffer.alloc(Math.ceil(body.length * 0.75) + 3)
  let length = 0
  let carried = ''
  let isPadded = false
  let hasEnded = false
  for (let at = 0; at < body.length && !hasEnded; at += chunkBytes) {
    const all = body.toString('latin1', at, at + chunkBytes)
    const end = all.search(beginsWords)
    hasEnded = end >= 0
    const chunk = hasEnded ? all.slice(0, end) : all
    if (isPadded && /[A-Za-z] [A-Za-z]|[^A-Za-z0-9+/\s=]/.test(chunk.trimStart().slice(0, 200))) break
    const runs = chunk.split(/=+/)
    for (const [index, run] of runs.entries()) {
      if (index > 0 && /[A-Za-z] [A-Za-z]|[^A-Za-z0-9+/\s]/.test(run)) return result.subarray(0, length)
      const signs = carried + run.replace(/[^A-Za-z0-9+/_-]+/g, '')
      const isLast = index < runs.length - 1
      const whole = isLast ? signs.length : signs.length - (signs.length % 4)
      length += result.write(signs.slice(0, whole), length, 'base64')
      carried = signs.slice(whole)
      isPadded = isLast || (isPadded && run.trim() === '')
    }
  }
  length += result.write(carried, length, 'base64')
  return result.subarray(0, length)
}

function fromQuotedPrintable(body: Buffer): Buffer {
  const result = Buffer.alloc(body.length)
  let length = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!
    if (byte !== 0x3d) {
      result[length++] = byte
      continue
    }
    const value = hexAt(body, at + 1)
    if (value >= 0) {
      result[length++] = value
      at += 2
      continue
    }
    let next = at + 1
    while (body[next] === 0x20 || body[next] === 0x09) next++
    if (body[next] === 0x0d && body[next + 1] === 0x0a) at = next + 1
    else if (body[next] === 0x0a || body[next] === 0x0d) at = next
    else if (next < body.length) result[length++] = byte
    else at = next
  }
  return result.subarray(0, length)
}

function hexAt(bytes: Buffer, at: number): number {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])]
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const small = byte | 0x20
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1
}

/** The content of the first uuencoded file in a text; undefined if there is none. */
export function fromUuencode(source: string): Buffer | undefined {
  const start = /^begin(?:-base64)? [0-7]{3,4} .*$/m.exec(source)
  if (!start) return undefined
  const chunks: Buffer[] = []
  for (const line of source
    .slice(start.index + start[0].length)
    .split(/\r?\n/)
    .slice(1)) {
    if (line === 'end' || line === '====') break
    chunks.push(uuLine(line))
  }
  return Buffer.concat(chunks)
}

function uuLine(line: string): Buffer {
  const length = (line.charCodeAt(0) - 32) & 63
  const bytes: number[] = []
  for (let at = 1; at < line.length && bytes.length < length; at += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map(offset => ((line.charCodeAt(at + offset) || 32) - 32) & 63) as [
      number,
      number,
      number,
      number
    ]
    bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d)
  }
  return Buffer.from(bytes.slice(0, length))
}
