import { Type } from 'typebox'
import { MissingFields } from '../kit/errors.ts'

const digits = '^\\d{6}$'
// Digits and what people put between them; how many digits a number has is the telephone network's business.
const number = '^(?=(?:\\D*\\d){3})[-+\\d ().\\/]*$'

/** A one-time code as a caller sends it: six digits, as text. */
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

/** A phone number as a caller sends it: three digits or more with blanks, + - ( ) . and / between them. */
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

/** Whether a text can be sent to this number at all; what was given at sign-up was not looked at. */
export function isPhoneNumber(text: string): boolean {
  return new RegExp(number, 'u').test(text)
}

/**
 * Refuses absent fields, all at once. For those that a bearer may stand in for, which the schema therefore cannot
 * require, and for what is required beside them.
 */
export function refuseMissing(fields: Record<string, unknown>): void {
  const missing = Object.keys(fields).filter(name => fields[name] === undefined)
  if (missing.length === 0) return
  throw MissingFields({ message: `Missing required fields: ${missing.join(', ')}`, errors: missing })
}
