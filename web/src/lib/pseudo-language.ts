import type { Messages } from './messages.ts'

const accents: Record<string, string> = {
  a: 'á',
  c: 'ç',
  e: 'ê',
  i: 'ï',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  u: 'ü',
  y: 'ý',
  A: 'Å',
  E: 'Ë',
  O: 'Ø'
}

/** Adds accents to each message and makes it a third longer, as German may be. Truncated texts and texts outside the catalogue become visible. */
export function pseudo(messages: Messages): Messages {
  return mapTexts(messages, text =>
    text.trim() === '' ? text : `${accented(text)}${'~'.repeat(Math.ceil(text.length * 0.35))}`
  ) as Messages
}

function accented(text: string): string {
  return text.replace(/[a-zA-Z]/g, sign => accents[sign] ?? sign)
}

/** A compiled message consists of texts and placeholders. A placeholder is an array that begins with its name. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value))
    return value.map(part => (Array.isArray(part) ? mapPlaceholder(part, change) : mapTexts(part, change)))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]))
}

function mapPlaceholder(part: unknown[], change: (text: string) => string): unknown[] {
  const [name, format, choices] = part
  return choices === undefined || typeof choices !== 'object' ? part : [name, format, mapTexts(choices, change)]
}
