import { MalformedBody } from '../errors.ts'
import { addText, type Sent } from './sent.ts'
import { textOf } from './text.ts'

export const maxFormFields = 1000

/**
 * An urlencoded body or a query. Our own few lines, because the libraries and URLSearchParams mend broken escapes and
 * broken UTF-8 silently, where the caller ought to be told.
 */
export function readForm(bytes: Uint8Array): Sent['fields'] {
  const fields: Sent['fields'] = new Map()
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
