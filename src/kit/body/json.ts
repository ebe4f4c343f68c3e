import { MalformedBody } from '../errors.ts'
import type { RequestInput } from './request-input.ts'
import { textOf } from './text.ts'

const maxDepth = 20
const maxParts = 10_000

/** Parses a JSON body: one object, or nothing. Its depth is checked before parsing, so that no body costs more than its length. */
export function readJson(bytes: Uint8Array): RequestInput['fields'] {
  const text = textOf(bytes)
  const fields: RequestInput['fields'] = new Map()
  if (text.trim() === '') return fields

  const value = parsedJson(text, 'The body is not valid JSON')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw MalformedBody({ message: 'The body must be a JSON object' })
  }
  for (const [name, each] of Object.entries(value)) fields.set(name, [{ value: each, isText: false }])
  return fields
}

/** Parses JSON of limited depth and size; `fault` is the error for invalid JSON. */
export function parsedJson(text: string, fault: string): unknown {
  bound(text)
  try {
    return JSON.parse(text)
  } catch {
    throw MalformedBody({ message: fault })
  }
}

/** Refuses JSON that is too deep or has too many members, by counting brackets, commas and colons outside of strings. */
function bound(text: string): void {
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x22) {
      at = endOfString(text, at)
    } else if (character === 0x7b || character === 0x5b) {
      if (++depth > maxDepth) throw MalformedBody({ message: 'The JSON is nested too deeply' })
    } else if (character === 0x7d || character === 0x5d) {
      depth--
    } else if (character === 0x2c || character === 0x3a) {
      if (++parts > maxParts) throw MalformedBody({ message: 'The JSON has too many parts' })
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return quote
    at = quote + 1
  }
}
