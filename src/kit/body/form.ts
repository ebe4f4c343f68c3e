import { MalformedBody } from '../errors.ts'
import { addText, type RequestInput } from './request-input.ts'
import { textOf } from './text.ts'

export const maxFormFields = 1000

/**
 * Parses an urlencoded body or a query. It is our own code, because the libraries and URLSearchParams silently repair broken escapes and
 * broken UTF-8, which should be an error.
 */
export function readForm(bytes: Uint8Array): RequestInput['fields'] {
  const fields: RequestInput['fields'] = new Map()
  const pairs = textOf(bytes).trim().split('&')
  if (pairs.length > maxFormFields) throw MalformedBody({ message: 'The form has too many fields' })
  for (const pair of pairs) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    addText(fields, unescaped(name), equals < 0 ? '' : unescaped(pair.slice(equals + 1)))
  }
  return fields
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw MalformedBody({ message: 'The form is not valid: a % escape is broken' })
  }
}
