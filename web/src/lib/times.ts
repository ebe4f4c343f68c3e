import { language } from './strings.ts'

export const locale = language.startsWith('en-X') ? 'en' : language === 'en' ? englishOf(navigator.languages) : language
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const monthAndYear = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric' })
const dayMonthYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const dayOfWeek = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' })
const dayOfWeekAndYear = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric'
})
const full = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short'
})
const relativeDays = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const ofUnit = (unit: 'minute' | 'hour' | 'day', unitDisplay: 'short' | 'long' = 'short') =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay })
// Creating a formatter takes longer than rendering a row of a list.
const units = { minute: ofUnit('minute'), hour: ofUnit('hour'), day: ofUnit('day', 'long') }
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })
const lists = new Intl.ListFormat(locale, { type: 'conjunction' })
const choices = new Intl.ListFormat(locale, { type: 'disjunction' })

/** A stamp of the API: those without a zone (`2026-11-20 14:05:00`) are UTC. */
export function instantOf(stamp: string): Date {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(stamp)
  return new Date(hasZone ? stamp : `${stamp.replace(' ', 'T')}Z`)
}

/** "3 min", "2 h" up to a day, then "12 Oct", of other years "May 2024". */
export function relativeTime(instant: Date, now = Date.now()): string {
  const age = Math.max(0, now - instant.getTime())
  if (age < hour) return unit(Math.max(1, Math.floor(age / minute)), 'minute')
  if (age < day) return unit(Math.floor(age / hour), 'hour')
  return isSameYear(instant, now) ? dayAndMonth.format(instant) : monthAndYear.format(instant)
}

/** "14:02" today, "Yesterday, 16:02", "12 Oct, 16:02", of other years with the year. */
export function shortTime(instant: Date, now = Date.now(), worded = capital): string {
  const days = daysBetween(instant, now)
  const time = clock.format(instant)
  if (days === 0) return time
  if (days === 1) return `${worded(relativeDays.format(-1, 'day'))}, ${time}`
  return `${(isSameYear(instant, now) ? dayAndMonth : dayMonthYear).format(instant)}, ${time}`
}

/** The same within a sentence: "yesterday, 16:02". */
export function timeInText(instant: Date, now?: number): string {
  return shortTime(instant, now, asItIs)
}

/** "Today", "12 Oct", of other years with the year. */
export function dayText(instant: Date, now = Date.now(), worded = capital): string {
  if (isSameDay(instant, now)) return worded(relativeDays.format(0, 'day'))
  return (isSameYear(instant, now) ? dayAndMonth : dayMonthYear).format(instant)
}

/** The same within a sentence: "today". */
export function dayInText(instant: Date, now?: number): string {
  return dayText(instant, now, asItIs)
}

/** A time to come: "Today, 16:30", "Tue 24 Nov, 09:00", of other years with the year. */
export function comingTime(instant: Date, now = Date.now(), worded = capital): string {
  const time = clock.format(instant)
  if (isSameDay(instant, now)) return `${worded(relativeDays.format(0, 'day'))}, ${time}`
  return `${(isSameYear(instant, now) ? dayOfWeek : dayOfWeekAndYear).format(instant)}, ${time}`
}

/** The same within a sentence: "today, 16:30". */
export function comingTimeInText(instant: Date, now?: number): string {
  return comingTime(instant, now, asItIs)
}

/** `comingTime` where there is little room: "Today, 16:30", within a week "Tue, 09:00", then "Mon 30 Nov". */
export function comingTimeInBrief(instant: Date, now = Date.now()): string {
  if (isSameDay(instant, now)) return comingTime(instant, now)
  if (instant.getTime() < new Date(now).setHours(0, 0, 0, 0) + 7 * day) {
    return `${weekday.format(instant)}, ${clock.format(instant)}`
  }
  return dayOfWeek.format(instant)
}

/** The end of a time, where there is least room: "16:30" today, "30 Mar", of other years with the year. */
export function endTime(instant: Date, now = Date.now()): string {
  if (isSameDay(instant, now)) return clock.format(instant)
  return (isSameYear(instant, now) ? dayAndMonth : dayMonthYear).format(instant)
}

/** "20 Nov 2026, 14:50 CET" */
export function fullTime(instant: Date): string {
  return full.format(instant)
}

/** "20 Nov 2026" */
export function dateOf(instant: Date): string {
  return dayMonthYear.format(instant)
}

/** "48,102" */
export function numberText(value: number): string {
  return numbers.format(value)
}

/** "Mira, Jonas, and Hannah" */
export function listText(names: readonly string[]): string {
  return lists.format(names)
}

/** "30 min", "4 h", "8 h 30" */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return unit(rest, 'minute')
  return rest === 0 ? unit(hours, 'hour') : `${unit(hours, 'hour')} ${String(rest).padStart(2, '0')}`
}

/** The same of time that goes on round the clock: "5 days". */
export function spanText(minutes: number): string {
  const days = minutes / (24 * 60)
  return days > 1 && Number.isInteger(days) ? units.day.format(days) : durationText(minutes)
}

/** "Mira, Jonas or Hannah" */
export function choiceText(names: string[]): string {
  return choices.format(names)
}

/** Milliseconds until the text for this instant may change; undefined if it never does. */
export function nextChangeOf(instant: Date, now = Date.now()): number | undefined {
  const age = Math.max(0, now - instant.getTime())
  if (age < hour) return minute - (age % minute) + 50
  if (age < 2 * day) return Math.min(hour, hour - (age % hour) + 50)
  return undefined
}

function unit(value: number, name: 'minute' | 'hour'): string {
  return units[name].format(value).replace(/hrs?/, 'h').replace('mins', 'min')
}

/** How many days ago it was; of a day to come -1. */
function daysBetween(instant: Date, now: number): number {
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (instant.getTime() < midnight) return Math.ceil((midnight - instant.getTime()) / day)
  return isSameDay(instant, now) ? 0 : -1
}

function isSameDay(instant: Date, now: number): boolean {
  return new Date(instant).setHours(0, 0, 0, 0) === new Date(now).setHours(0, 0, 0, 0)
}

function isSameYear(instant: Date, now: number): boolean {
  return instant.getFullYear() === new Date(now).getFullYear()
}

function asItIs(text: string): string {
  return text
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
}

/** `en` without a country formats American dates. The country of the browser's language decides, else the British order is used. */
function englishOf(tags: readonly string[]): string {
  return tags.find(tag => /^en-[A-Z]{2}$/.test(tag)) ?? 'en-GB'
}
