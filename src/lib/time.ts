/** The contract's timestamp: `YYYY-MM-DD HH:MM:SS`, UTC. */
export function timestamp(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ')
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The form of tickets/create alone: `Fri Nov 20 08:28:31 2026`, UTC (decision 7). */
export function calendarTimestamp(time: Date): string {
  const [clock, year] = [time.toISOString().slice(11, 19), time.getUTCFullYear()]
  return `${weekdays[time.getUTCDay()]} ${months[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2, '0')} ${clock} ${year}`
}

/** The moment `seconds` after `time`. */
export function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

/** The moment that `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` names, UTC. A day that its month does not have is one of the next. */
export function momentOf(text: string): Date {
  const [year, month, day, hour = 0, minute = 0, second = 0] = text.split(/[- :]/).map(Number)
  return new Date(Date.UTC(year!, month! - 1, day, hour, minute, second))
}
