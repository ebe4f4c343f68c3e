import { locale } from '../../../lib/times.ts'
import { type Weekday, weekdays } from './weekdays.ts'

const utc = { timeZone: 'UTC' } as const
const formats = {
  short: new Intl.DateTimeFormat(locale, { ...utc, weekday: 'short' }),
  long: new Intl.DateTimeFormat(locale, { ...utc, weekday: 'long' })
}
const dayAndMonth = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short' })
const dayMonthYear = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short', year: 'numeric' })
const monday = Date.UTC(2026, 0, 5)

// Dates are those of a calendar, `2026-12-24`, and belong to no zone.

/** "Thu", "Thursday" */
export function weekdayText(day: Weekday, width: 'short' | 'long'): string {
  return formats[width].format(monday + weekdays.indexOf(day) * 86_400_000)
}

/** "24 Dec", of other years with the year. */
export function dateText(date: string): string {
  const isThisYear = date.startsWith(`${new Date().getFullYear()}-`)
  return (isThisYear ? dayAndMonth : dayMonthYear).format(instantOfDate(date))
}

/** "Thu 24 Dec" */
export function dayAndDateText(date: string): string {
  const instant = instantOfDate(date)
  return `${formats.short.format(instant)} ${dayAndMonth.format(instant)}`
}

/** The weekday of a date. */
export function weekdayOf(date: string): Weekday {
  return weekdays[(new Date(instantOfDate(date)).getUTCDay() + 6) % 7]!
}

/** The date and time on the wall of a zone, `2026-11-27T16:30`. */
export function localIn(zone: string, instant: Date): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  }).formatToParts(instant)
  const of = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`
}

/** The instant at which the clock on the wall of a zone shows this. Of an hour that is repeated it is the first, of one that is skipped the next. */
export function instantIn(zone: string, local: string): Date {
  const wanted = Date.parse(`${local}Z`)
  const offsetAt = (instant: number) => Date.parse(`${localIn(zone, new Date(instant))}Z`) - instant
  // The offsets on both sides of a change of the clocks, of which the earlier instant that fits is meant.
  const candidates = [offsetAt(wanted - 86_400_000), offsetAt(wanted + 86_400_000)].map(offset => wanted - offset)
  const fits = candidates.filter(instant => localIn(zone, new Date(instant)) === local)
  return new Date(Math.min(...(fits.length > 0 ? fits : candidates)))
}

/** "Fri 27 Nov, 16:30", on the wall of a zone. */
export function momentText(zone: string, instant: Date): string {
  const [date, time] = localIn(zone, instant).split('T')
  return `${dayAndDateText(date!)}, ${time}`
}

/** "Mon 09:00" */
export function weekdayAndTime(zone: string, instant: Date): string {
  const [date, time] = localIn(zone, instant).split('T')
  return `${formats.short.format(instantOfDate(date!))} ${time}`
}

function instantOfDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`)
}
