import { decodedText } from './charset.ts'

/** A header: its name in lower case, its value unfolded, as bytes in a string (Latin-1). */
export type Header = readonly [name: string, value: string]

const maxHeaders = 2_000
const maxValueCharacters = 100_000

/** The headers of a block, as bytes in a string. Other lines are ignored. */
export function headersOf(block: string): Header[] {
  const headers: [string, string][] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const last = headers.at(-1)
    if (/^[ \t]/.test(line)) {
      if (last && last[1].length < maxValueCharacters) last[1] += ` ${trimmed(line)}`
      continue
    }
    const colon = line.indexOf(':')
    if (colon <= 0 || headers.length >= maxHeaders) continue
    const name = line.slice(0, colon).trimEnd().toLowerCase()
    if (/^[\x21-\x7e]{1,80}$/.test(name))
      headers.push([name, trimmed(line.slice(colon + 1)).slice(0, maxValueCharacters)])
  }
  return headers
}

/** Trims blanks. The last byte of a string may be half of an "à", which looks like a blank, and stays. */
export function trimmed(bytes: string): string {
  return bytes.replace(/^[ \t\r\n]+/, '').replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '')
}

export function firstHeader(headers: readonly Header[], name: string): string | undefined {
  return headers.find(header => header[0] === name)?.[1]
}

export function allHeaders(headers: readonly Header[], name: string): string[] {
  return headers.filter(header => header[0] === name).map(([, value]) => value)
}

const encodedWord = /=\?([\w*.:()-]{1,60})\?([bq])\?([^\r\n]{0,4000}?)\?=/gi

/**
 * Decodes a header value: encoded words (RFC 2047), also when split within a character, quoted, or with blanks in them; and raw bytes in any
 * charset (`charset`: that of the message, if declared). Returns one line without control characters.
 */
export function headerText(value: string, charset?: string): string {
  let result = ''
  let from = 0
  let pending: { charset: string; bytes: Buffer[] } | undefined
  const flush = () => {
    if (pending) result += decodedText(Buffer.concat(pending.bytes), pending.charset)
    pending = undefined
  }
  for (const match of value.matchAll(encodedWord)) {
    const [whole, label = '', encoding = '', text = ''] = match
    const between = value.slice(from, match.index)
    if (!pending || between.trim() !== '') {
      flush()
      result += rawText(between, charset)
    }
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : qBytes(text)
    const name = label.replace(/\*.*$/, '').toLowerCase()
    if (pending && pending.charset !== name) flush()
    pending ??= { charset: name, bytes: [] }
    pending.bytes.push(bytes)
    from = match.index + whole.length
  }
  flush()
  return onOneLine(result + rawText(value.slice(from), charset))
}

function rawText(value: string, charset: string | undefined): string {
  return /[\x80-\xff]|\x1b/.test(value) ? decodedText(Buffer.from(value, 'latin1'), charset) : value
}

function qBytes(text: string): Buffer {
  const spaced = text.replaceAll('_', ' ')
  return Buffer.from(
    spaced.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1'
  )
}

/** Removes control characters and direction marks. */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** A value with parameters: `text/plain; charset=utf-8`. Continuations and percent-encoding (RFC 2231) are decoded. */
export interface Parameterized {
  value: string
  parameters: Record<string, string>
  /** The parameters with a declared charset, which are decoded already. */
  decoded?: ReadonlySet<string>
}

export function parameterized(given: string | undefined): Parameterized {
  const pieces = semicolonPieces(withoutComments(given ?? ''))
  const parameters: Record<string, string> = Object.create(null)
  const parts = new Map<string, { index: number; value: string; isEncoded: boolean }[]>()
  for (const piece of pieces.slice(1, 200)) {
    const equals = piece.indexOf('=')
    if (equals <= 0) continue
    const name = piece.slice(0, equals).trim().toLowerCase()
    const value = unquoted(trimmed(piece.slice(equals + 1)))
    const numbered = /^([^*]+)\*(?:(\d{1,4}))?(\*?)$/.exec(name)
    if (!numbered) parameters[name] ??= value
    else {
      const [, base = '', index] = numbered
      const isEncoded = index === undefined || numbered[3] === '*'
      parts.set(base, [...(parts.get(base) ?? []), { index: Number(index ?? 0), value, isEncoded }])
    }
  }
  for (const [name, pieces] of parts) parameters[name] = putTogether(pieces)
  return { value: (pieces[0] ?? '').trim().toLowerCase(), parameters, decoded: new Set(parts.keys()) }
}

/** A parameter as text. Decoded ones must not be decoded twice. */
export function parameterText({ parameters, decoded }: Parameterized, name: string, charset?: string): string {
  const given = parameters[name] ?? ''
  return decoded?.has(name) && /[^\0-\x7f]/.test(given) ? onOneLine(given) : headerText(given, charset)
}

function putTogether(pieces: { index: number; value: string; isEncoded: boolean }[]): string {
  const inOrder = pieces.toSorted((one, other) => one.index - other.index)
  let charset: string | undefined
  const bytes = inOrder.map(({ value, isEncoded }, at) => {
    if (!isEncoded) return Buffer.from(value, 'latin1')
    const [, label, , rest] = (at === 0 && /^([^']*)'([^']*)'(.*)$/s.exec(value)) || []
    if (label !== undefined) charset = label
    const text = (rest ?? value).replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    )
    return Buffer.from(text, 'latin1')
  })
  return decodedText(Buffer.concat(bytes), charset)
}

function semicolonPieces(text: string): string[] {
  const pieces: string[] = []
  let isQuoted = false
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\' && isQuoted) at++
    else if (sign === '"') isQuoted = !isQuoted
    else if (sign === ';' && !isQuoted) {
      pieces.push(text.slice(from, at))
      from = at + 1
    }
  }
  // An unclosed quote hides nothing.
  if (isQuoted && !pieces.length) return text.split(';')
  return [...pieces, text.slice(from)]
}

/** Comments are in parentheses outside quotes; those within a value such as `photo(1).jpg` belong to it. */
function withoutComments(text: string): string {
  return text.replace(/(^|[;\s])\([^()"]{0,200}\)(?=\s|;|$)/g, '$1')
}

function unquoted(text: string): string {
  const closed = /^"((?:[^"\\]|\\.)*)"?/s.exec(text)
  return closed ? closed[1]!.replace(/\\(["\\])/g, '$1') : text.replace(/^'(.*)'$/s, '$1')
}
