import { Type } from 'typebox'
import { InvalidFields } from '../../kit/errors.ts'
import { isDateOrTime } from '../../lib/time.ts'

/** A day of the desk's zone in a request. That it exists `requireDays` checks. */
export const Day = (example: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    maxLength: 10,
    examples: [example],
    'x-trim': true,
    'x-invalid': 'Days are written YYYY-MM-DD'
  })

/** Throws `InvalidFields` unless these are days, in order. */
export function requireDays({ from, to }: { from?: string | undefined; to?: string | undefined }): void {
  for (const [name, day] of Object.entries({ from, to })) {
    if (day === undefined || (isDateOrTime(day) && day >= '1970-01-01' && day < '2200-01-01')) continue
    throw InvalidFields({ message: `${name}: there is no day ${day}`, errors: [name] })
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw InvalidFields({ message: 'from is after to', errors: ['from', 'to'] })
  }
}
