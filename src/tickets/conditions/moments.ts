import { isDateOrTime, parseDateOrTime } from '../../lib/time.ts'

const dayOrTime = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\dZ?)?$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/**
 * The moment that a text means: `YYYY-MM-DD` (its first moment) or `YYYY-MM-DD HH:MM:SS`, UTC, or an ISO 8601 time with an offset. Undefined if it is
 * none, or the day or hour does not exist.
 */
export function momentOf(text: string): Date | undefined {
  if (dayOrTime.test(text)) return isDateOrTime(text) ? parseDateOrTime(text) : undefined
  if (!instant.test(text) || !isDateOrTime(text.slice(0, 10))) return undefined
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

/** The first moment of a day (`YYYY-MM-DD`, UTC), and that of the next; undefined if there is no such day. */
export function dayOf(text: string): { from: Date; to: Date } | undefined {
  const from = text.length === 10 ? momentOf(text) : undefined
  return from && { from, to: new Date(from.getTime() + 86_400_000) }
}
