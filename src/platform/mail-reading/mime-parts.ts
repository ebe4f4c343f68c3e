import {
  allHeaders,
  firstHeader,
  type Header,
  headersOf,
  headerText,
  type Parameterized,
  parameterized,
  parameterText
} from './headers.ts'
import { signedContentIn } from './signed-content.ts'
import { decoded } from './transfer-encodings.ts'

/** A part of a message, decoded from its transfer encoding. */
export interface MimePart {
  headers: readonly Header[]
  type: Parameterized
  disposition: Parameterized
  /** Empty for a multipart. */
  content: Buffer
  children: MimePart[]
}

/** Why a message cannot be parsed: somebody has to look at it. */
export class Unreadable extends Error {}

const maxDepth = 60
const maxParts = 1_000
const maxHeaderBytes = 1_000_000

/** The parts of a message as a tree. Throws `Unreadable` if they are nested too deeply or too many. */
export function parseMimeParts(raw: Buffer): MimePart {
  return partOf(repaired(raw), 'text/plain', 0, { parts: 0 })
}

interface Count {
  parts: number
}

function partOf(bytes: Buffer, usualType: string, depth: number, count: Count): MimePart {
  if (depth > maxDepth) throw new Unreadable('nested_too_deeply')
  if (++count.parts > maxParts) throw new Unreadable('too_many_parts')
  const { head, body } = split(bytes)
  const headers = headersOf(head)
  const type = typeOf(headers, usualType, body)
  const part: MimePart = {
    headers,
    type,
    disposition: parameterized(firstHeader(headers, 'content-disposition')),
    content: Buffer.alloc(0),
    children: []
  }
  const boundary = type.value.startsWith('multipart/') ? boundaryOf(type, body) : undefined
  if (boundary === undefined) {
    part.content = decoded(body, firstHeader(headers, 'content-transfer-encoding') ?? '')
    // A multipart without parts is replaced by its content.
    if (type.value.startsWith('multipart/'))
      part.type = { value: looksLikeHtml(part.content) ? 'text/html' : 'text/plain', parameters: {} }
    const signed = /^application\/(x-)?pkcs7-mime$/.test(type.value) ? signedContentIn(part.content) : undefined
    if (signed) part.children.push(partOf(signed, usualType, depth + 1, count))
    return part
  }
  const usual = type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
  const pieces = between(body, boundary)
  for (const piece of pieces) part.children.push(partOf(piece, usual, depth + 1, count))
  return part
}

/** Of several content types, the one whose boundary is in the body counts, else that of a text, so that it is shown. */
function typeOf(headers: readonly Header[], usual: string, body: Buffer): Parameterized {
  const types = allHeaders(headers, 'content-type')
    .slice(0, 10)
    .map(value => typeIn(value, usual))
  const isThere = ({ parameters }: Parameterized) =>
    parameters.boundary !== undefined && body.includes(`--${parameters.boundary}`, 0, 'latin1')
  const isText = ({ value }: Parameterized) => value === 'text/plain' || value === 'text/html'
  return (types.length > 1 ? (types.find(isThere) ?? types.find(isText)) : undefined) ?? types[0] ?? typeIn('', usual)
}

/** Tolerates a missing semicolon before the parameters, and a missing subtype of multipart. */
function typeIn(given: string, usual: string): Parameterized {
  const type = parameterized(given.replace(/^([\w.+-]+\/[\w.+-]+)\s+(?=[\w*-]+\s?=)/, '$1; '))
  if (/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(type.value)) return type
  if (type.value.startsWith('multipart') && type.parameters.boundary) return { ...type, value: 'multipart/mixed' }
  if (type.value === 'text' || type.value === 'html')
    return { ...type, value: type.value === 'html' ? 'text/html' : 'text/plain' }
  return { ...type, value: usual }
}

/** Without a header everything is the body: a part may begin with an empty line. */
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
    if (bytes[next] === 0x20 || bytes[next] === 0x09) {
      const after = blankUntil(bytes, next)
      if (after && !/^([ \t]|[\x21-\x39\x3b-\x7e]{1,80}[ \t]*:)/.test(bytes.toString('latin1', after, after + 100)))
        return { head: text(bytes, next), body: bytes.subarray(after) }
    }
    at = next
  }
  const all = text(bytes, Math.min(bytes.length, maxHeaderBytes))
  // Only headers, or no header at all.
  if (/^[\x21-\x39\x3b-\x7e]{1,80}[ \t]*:/.test(all)) return { head: all, body: Buffer.alloc(0) }
  return { head: '', body: bytes }
}

/** The end of the blank line that begins here; undefined if the line has text. */
function blankUntil(bytes: Buffer, from: number): number | undefined {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d) at++
  return bytes[at] === 0x0a ? at + 1 : undefined
}

function text(bytes: Buffer, end: number): string {
  return bytes.toString('latin1', 0, end)
}

/** The declared boundary, or the one used instead; undefined if there is none. */
function boundaryOf({ parameters }: Parameterized, body: Buffer): string | undefined {
  const named = parameters.boundary?.trimEnd()
  if (named && body.includes(`--${named}`, 0, 'latin1')) return named
  const start = body.toString('latin1', 0, 200_000)
  const line = /(?:^|\n)--([^\r\n]{1,200}?)[ \t]*\r?\n(?=[\w-]{2,60}:|\r?\n)/.exec(start)
  return line && !/^-*$/.test(line[1]!) ? line[1]! : undefined
}

/** The content between the boundary lines. Text before the first and after the last is dropped. */
function between(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  const pieces: Buffer[] = []
  let start: number | undefined
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    const isAtLine = at === 0 || body[at - 1] === 0x0a
    const after = body.toString('latin1', at + mark.length, at + mark.length + 200)
    const end = /^[ \t]*(--)?[ \t]*(\r?\n|\r|$)/.exec(after)
    if (!isAtLine || !end) continue
    if (start !== undefined) pieces.push(body.subarray(start, withoutLineBreak(body, at)))
    start = at + mark.length + end[0].length
    if (end[1]) {
      // Parts after the last boundary, as some mailers write them, are read too.
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

export function looksLikeHtml(bytes: Buffer): boolean {
  return /^\s*(?:<\?xml[^>]{0,200}>\s*)?(<!doctype html|<html|<head|<body|<div|<p[ >]|<table)/i.test(
    bytes.toString('latin1', 0, 500)
  )
}

/** Repairs line breaks and headers: removes the mbox line before them, and replaces bare carriage returns of old or broken mailers. */
export function repaired(raw: Buffer): Buffer {
  let bytes = raw
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
  if (!bytes.includes(0x0a) && bytes.includes(0x0d))
    bytes = Buffer.from(bytes.toString('latin1').replaceAll('\r', '\n'), 'latin1')
  let at = 0
  while (bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x20 || bytes[at] === 0x09) at++
  bytes = bytes.subarray(at)
  // "From ada@example.com Fri Nov 20 08:28:31 2026", and not "From : ada@example.com".
  for (let line = lineAt(bytes); /^>?From (?![ \t]*:)/.test(line.text); line = lineAt(bytes))
    bytes = bytes.subarray(line.end)
  return withPlainBreaks(bytes)
}

function lineAt(bytes: Buffer): { text: string; end: number } {
  const end = bytes.indexOf(0x0a)
  if (end < 0) return { text: '', end: 0 }
  return { text: bytes.toString('latin1', 0, Math.min(end, 1_000)).trimEnd(), end: end + 1 }
}

/** A header whose lines end in CR alone, or in CR CR LF, although the body has proper ones. */
function withPlainBreaks(bytes: Buffer): Buffer {
  const start = bytes.toString('latin1', 0, 20_000)
  const bare = start.search(/\r(?!\n)/)
  if (bare < 0) return bytes
  const headEnd = start.search(/\r?\n\r?\n/)
  if (/\r\r\n/.test(start)) return Buffer.from(bytes.toString('latin1').replace(/\r+(\n?)/g, '\n'), 'latin1')
  if (headEnd >= 0 && bare > headEnd) return bytes
  return Buffer.from(bytes.toString('latin1').replace(/\r(?!\n)/g, '\n'), 'latin1')
}

/** The decoded file name of a part; undefined if it has none. */
export function nameOf({ disposition, type, headers }: MimePart, charset?: string): string | undefined {
  return (
    parameterText(disposition, 'filename', charset) ||
    parameterText(type, 'name', charset) ||
    parameterText(disposition, 'name', charset) ||
    headerText(firstHeader(headers, 'content-description') ?? '', charset).match(
      /^[^/\\]{1,200}\.[a-z0-9]{1,8}$/i
    )?.[0] ||
    undefined
  )
}
