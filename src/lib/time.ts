const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))

/** The contract's timestamp: `YYYY-MM-DD HH:MM:SS`, UTC. */
export function timestamp(time: Date): string {
  const year = String(time.getUTCFullYear()).padStart(4, '0')
  const day = `${year}-${twoDigits[time.getUTCMonth() + 1]}-${twoDigits[time.getUTCDate()]}`
  // Takes a quarter of the time of `toISOString`: a list has forty timestamps.
  return `${day} ${twoDigits[time.getUTCHours()]}:${twoDigits[time.getUTCMinutes()]}:${twoDigits[time.getUTCSeconds()]}`
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The format of tickets/create only: `Fri Nov 20 08:28:31 2026`, UTC (decision 7). */
export function calendarTimestamp(time: Date): string {
  const [clock, year] = [time.toISOString().slice(11, 19), time.getUTCFullYear()]
  return `${weekdays[time.getUTCDay()]} ${months[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2, '0')} ${clock} ${year}`
}

/** The contract's timestamp in ISO 8601: UTC, whole seconds. */
export function isoTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}

/** The day, UTC: `2026-11-23`. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** The moment `seconds` after `time`. */
export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

/** Whether the date in `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` exists: no month has a day 32, and February no 30th. */
export function isDateOrTime(text: string): boolean {
  return timestamp(parseDateOrTime(text)).startsWith(toSeconds(text))
}

/**
 * Parses `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, UTC, to the second; also with the `T` and `Z` of ISO 8601. A day that its month does not have
 * overflows into the next.
 */
export function parseDateOrTime(text: string): Date {
  const [year, month, day, hour = 0, minute = 0, second = 0] = toSeconds(text).split(/[- :]/).map(Number)
  return new Date(Date.UTC(year!, month! - 1, day, hour, minute, second))
}

/** Whether the date of an instant in ISO 8601 exists. */
export function isInstant(text: string): boolean {
  return isDateOrTime(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
}

/** Parses an instant in ISO 8601 with its offset. */
export function instantOf(text: string): Date {
  return new Date(text)
}

/** The contract's format: without the `T`, fractions and the `Z` of ISO 8601. */
function toSeconds(text: string): string {
  return text.slice(0, 19).replace('T', ' ')
}
