import { all, first, type Header, headersOf, headerText, type Parameterized, parameterized } from './headers.ts'

/** A part of a message, decoded from its transfer encoding. */
export interface Part {
  headers: readonly Header[]
  type: Parameterized
  disposition: Parameterized
  /** Empty for a multipart. */
  content: Buffer
  children: Part[]
}

/** Why a message is not read: somebody has to look at it. */
export class Unreadable extends Error {}

const maxDepth = 60
const maxParts = 1_000
const maxHeaderBytes = 1_000_000

/** The message as the tree of its parts. Throws `Unreadable` where it is nested too deeply or has too many. */
export function partsOf(raw: Buffer): Part {
  return partOf(repaired(raw), 'text/plain', 0, { parts: 0 })
}

interface Count {
  parts: number
}

function partOf(bytes: Buffer, usualType: string, depth: number, count: Count): Part {
  if (depth > maxDepth) throw new Unreadable('nested_too_deeply')
  if (++count.parts > maxParts) throw new Unreadable('too_many_parts')
  const { head, body } = split(bytes)
  const headers = headersOf(head)
  const type = typeOf(headers, usualType)
  const part: Part = {
    headers,
    type,
    disposition: parameterized(first(headers, 'content-disposition')),
    content: Buffer.alloc(0),
    children: []
  }
  const boundary = type.value.startsWith('multipart/') ? boundaryOf(type, body) : undefined
  if (boundary === undefined) {
    part.content = decoded(body, encodingOf(headers))
    // A multipart without parts is what it holds.
    if (type.value.startsWith('multipart/'))
      part.type = { value: looksLikeHtml(part.content) ? 'text/html' : 'text/plain', parameters: {} }
    return part
  }
  const usual = type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
  const pieces = between(body, boundary)
  for (const piece of pieces) part.children.push(partOf(piece, usual, depth + 1, count))
  return part
}

function typeOf(headers: readonly Header[], usual: string): Parameterized {
  const type = parameterized(first(headers, 'content-type'))
  if (/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(type.value)) return type
  if (type.value === 'text' || type.value === 'html')
    return { ...type, value: type.value === 'html' ? 'text/html' : 'text/plain' }
  return { ...type, value: usual }
}

/** Without a head the whole is a body: a part may begin with an empty line. */
function split(bytes: Buffer): { head: string; body: Buffer } {
  if (bytes[0] === 0x0a) return { head: '', body: bytes.subarray(1) }
  if (bytes[0] === 0x0d && bytes[1] === 0x0a) return { head: '', body: bytes.subarray(2) }
  let at = 0
  while (at < bytes.length && at < maxHeaderBytes) {
    const end = bytes.indexOf(0x0a, at)
    if (end < 0) break
    const next = end + 1
    if (bytes[next] === 0x0a) return { head: text(bytes, next), body: bytes.subarray(next + 1) }
    if (bytes[next] === 0x0d && bytes[next + 1] === 0x0a)
      return { head: text(bytes, next), body: bytes.subarray(next + 2) }
    at = next
  }
  const all = text(bytes, Math.min(bytes.length, maxHeaderBytes))
  // Headers to the end, or no header at all.
  if (/^[\x21-\x39\x3b-\x7e]{1,80}[ \t]*:/.test(all)) return { head: all, body: Buffer.alloc(0) }
  return { head: '', body: bytes }
}

function text(bytes: Buffer, end: number): string {
  return bytes.toString('latin1', 0, end)
}

/** The boundary, or the one that is there in its place; undefined where there is none. */
function boundaryOf({ parameters }: Parameterized, body: Buffer): string | undefined {
  const named = parameters.boundary?.trimEnd()
  if (named && body.includes(`--${named}`, 0, 'latin1')) return named
  const start = body.toString('latin1', 0, 200_000)
  const line = /(?:^|\n)--([^\r\n]{1,200}?)[ \t]*\r?\n(?=[\w-]{2,60}:|\r?\n)/.exec(start)
  return line && !/^-*$/.test(line[1]!) ? line[1]! : undefined
}

/** What stands between the lines of a boundary. What comes before the first and after the last is nobody's. */
function between(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  const pieces: Buffer[] = []
  let start: number | undefined
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    const isAtLine = at === 0 || body[at - 1] === 0x0a
    const after = body.toString('latin1', at + mark.length, at + mark.length + 200)
    const end = /^(--)?[ \t]*(\r?\n|\r|$)/.exec(after)
    if (!isAtLine || !end) continue
    if (start !== undefined) pieces.push(body.subarray(start, withoutLineBreak(body, at)))
    start = at + mark.length + end[0].length
    if (end[1]) {
      // What some mailers put behind the last boundary is read, where it is parts.
      start = undefined
    }
  }
  if (start !== undefined && start < body.length) pieces.push(body.subarray(start))
  return pieces
}

function withoutLineBreak(body: Buffer, at: number): number {
  const end = body[at - 1] === 0x0a ? at - 1 : at
  return body[end - 1] === 0x0d ? end - 1 : end
}

function encodingOf(headers: readonly Header[]): string {
  return (all(headers, 'content-transfer-encoding')[0] ?? '').toLowerCase().replace(/["'\s;].*$/, '')
}

/** As much as can be decoded: base64 that was cut or has other signs in it, escapes that are none. */
function decoded(body: Buffer, encoding: string): Buffer {
  if (/^base-?64$/.test(encoding)) return fromBase64(body)
  if (/^(quoted-?printable|q-?p)$/.test(encoding)) return fromQuotedPrintable(body)
  if (/^(x-)?uu/.test(encoding)) return fromUuencode(body.toString('latin1')) ?? body
  return body
}

const chunkBytes = 64 * 1024

/**
 * Chunk by chunk, since a message may be large. Several runs may follow one another, each with its own padding; words behind the padding
 * are what a list has added.
 */
function fromBase64(body: Buffer): Buffer {
  const result = Buffer.alloc(Math.ceil(body.length * 0.75) + 3)
  let length = 0
  let carried = ''
  let isPadded = false
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.toString('latin1', at, at + chunkBytes)
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

/** The content of the first uuencoded file in a text; undefined where there is none. */
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

export function looksLikeHtml(bytes: Buffer): boolean {
  return /^\s*(<!doctype html|<html|<head|<body|<div|<p[ >]|<table)/i.test(bytes.toString('latin1', 0, 500))
}

/**
 * The message as its lines and headers should be: without what a mailbox file puts before it, and with line breaks where an old or broken
 * mailer has carriage returns alone.
 */
export function repaired(raw: Buffer): Buffer {
  let bytes = raw
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
  if (!bytes.includes(0x0a) && bytes.includes(0x0d))
    bytes = Buffer.from(bytes.toString('latin1').replaceAll('\r', '\n'), 'latin1')
  let at = 0
  while (bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x20 || bytes[at] === 0x09) at++
  bytes = bytes.subarray(at)
  for (let line = lineAt(bytes); /^>?From [^:]*$/.test(line.text); line = lineAt(bytes))
    bytes = bytes.subarray(line.end)
  return withPlainBreaks(bytes)
}

function lineAt(bytes: Buffer): { text: string; end: number } {
  const end = bytes.indexOf(0x0a)
  if (end < 0) return { text: '', end: 0 }
  return { text: bytes.toString('latin1', 0, Math.min(end, 1_000)).trimEnd(), end: end + 1 }
}

/** A head whose lines end in CR alone, or in CR CR LF, while the body has proper ones. */
function withPlainBreaks(bytes: Buffer): Buffer {
  const start = bytes.toString('latin1', 0, 20_000)
  const bare = start.search(/\r(?!\n)/)
  if (bare < 0) return bytes
  const headEnd = start.search(/\r?\n\r?\n/)
  if (/\r\r\n/.test(start)) return Buffer.from(bytes.toString('latin1').replace(/\r+(\n?)/g, '\n'), 'latin1')
  if (headEnd >= 0 && bare > headEnd) return bytes
  return Buffer.from(bytes.toString('latin1').replace(/\r(?!\n)/g, '\n'), 'latin1')
}

/** What a part is called, decoded; undefined where it has no name. */
export function nameOf({ disposition, type, headers }: Part, charset?: string): string | undefined {
  const given = disposition.parameters.filename ?? type.parameters.name ?? disposition.parameters.name
  const name = given && headerText(given, charset)
  return (
    name ||
    undefined ||
    (headerText(first(headers, 'content-description') ?? '', charset).match(/^[^/\\]{1,200}\.[a-z0-9]{1,8}$/i)?.[0] ??
      undefined)
  )
}
