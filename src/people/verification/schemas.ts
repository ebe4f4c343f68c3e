import { Type } from 'typebox'
import { MissingFields } from '../../kit/errors.ts'

const digits = '^\\d{6}$'
// Digits with usual separators; the number of digits is up to the telephone network.
const number = '^(?=(?:\\D*\\d){3})[-+\\d ().\\/]*$'

/** A one-time code in a request: six digits, as text. */
export function OneTimeCode() {
  return Type.String({
    minLength: 1,
    maxLength: 6,
    pattern: digits,
    examples: ['123456'],
    'x-trim': true,
    'x-invalid': 'The code must be 6 digits'
  })
}

/** A phone number in a request: three digits or more, with blanks, + - ( ) . and / between them. */
export function PhoneNumber() {
  return Type.String({
    minLength: 1,
    maxLength: 30,
    pattern: number,
    examples: ['+1 555 0100'],
    'x-trim': true,
    'x-invalid': 'Invalid phone number format'
  })
}

/** Whether a text message can be sent to this number; numbers given at sign-up were not checked. */
export function isPhoneNumber(text: string): boolean {
  return new RegExp(number, 'u').test(text)
}

/**
 * Throws `MissingFields` with all absent fields: for those that a bearer token may replace, which the schema therefore cannot require, and
 * those required beside them.
 */
export function refuseMissing(fields: Record<string, unknown>): void {
  const missing = Object.keys(fields).filter(name => fields[name] === undefined)
  if (missing.length === 0) return
  throw MissingFields({ message: `Missing required fields: ${missing.join(', ')}`, errors: missing })
}
