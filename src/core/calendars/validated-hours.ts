import { InvalidFields } from '../../kit/errors.ts'
import { isDateOrTime } from '../../lib/time.ts'
import { timeZoneNamed } from '../../lib/time-zones.ts'
import { mostDays } from './calendar-schemas.ts'
import { type CalendarHours, type Day, type Span, type Week, type Weekday, type WeekHours, weekdays } from './hours.ts'
import { openTimeOf } from './open-time.ts'

/** The hours of a calendar as they are sent. */
interface GivenHours {
  time_zone: string
  is_always: boolean
  weeks: readonly { valid_from?: string | null | undefined; hours: WeekHours }[]
  days: readonly { date: string; name: string; hours?: readonly Span[] | undefined }[]
}

/** A span ends by then, and not later than the day. */
const mostSpans = 10
/** A calendar that never opens would keep every promise waiting. */
const openWithinDays = 400
const dayMilliseconds = 86_400_000
const years = /^(19[7-9]\d|20\d\d|21\d\d|2200)-\d\d-\d\d$/

/** The given hours in the form to be stored. Throws `InvalidFields`, with the name of the day where there is one. */
export function validatedHours(given: GivenHours, now: Date): CalendarHours {
  const time_zone = timeZoneNamed(given.time_zone)
  if (time_zone === undefined) {
    throw refused(
      'time_zone',
      `There is no time zone ${shown(given.time_zone)}: it is the name of one like Europe/Berlin`
    )
  }
  const hours = {
    time_zone,
    is_always: given.is_always,
    weeks: validatedWeeks(given.weeks),
    days: validatedDays(given.days)
  }
  const until = new Date(now.getTime() + openWithinDays * dayMilliseconds)
  if (openTimeOf(hours).between(now, until) === 0) {
    throw refused('weeks', `The calendar has no open minute in the next ${openWithinDays} days`)
  }
  return hours
}

function validatedWeeks(given: GivenHours['weeks']): Week[] {
  const weeks = given.map(({ valid_from = null, hours }, at): Week => {
    if (valid_from !== null) requireDate(`weeks.${at}.valid_from`, valid_from)
    const days = weekdays.flatMap(day =>
      hours[day] ? [[day, validatedSpans(`weeks.${at}.hours.${day}`, namesOfDays[day], hours[day])]] : []
    )
    return { valid_from, hours: Object.fromEntries(days) }
  })
  const twice = weeks.findIndex(({ valid_from }, at) => weeks.findIndex(each => each.valid_from === valid_from) < at)
  if (twice >= 0) {
    const from = weeks[twice]!.valid_from ?? 'the beginning'
    throw refused(`weeks.${twice}.valid_from`, `There are two weeks that hold from ${from}`)
  }
  return weeks.toSorted((one, other) => ((one.valid_from ?? '') < (other.valid_from ?? '') ? -1 : 1))
}

function validatedDays(given: GivenHours['days']): Day[] {
  if (given.length > mostDays) throw refused('days', `days must have at most ${mostDays} entries`)
  const days = given.map(({ date, name, hours = [] }): Day => {
    const path = `days.${shown(date)}`
    requireDate(path, date)
    const trimmed = name.trim()
    if (trimmed === '' || [...trimmed].length > 100 || /\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed()) {
      throw refused(path, `${date}: its name must have 1 to 100 characters, on one line`)
    }
    return { date, name: trimmed, hours: validatedSpans(path, date, hours) }
  })
  const dates = days.map(({ date }) => date)
  const twice = dates.find((date, at) => dates.indexOf(date) < at)
  if (twice !== undefined) throw refused(`days.${twice}`, `${twice} is there twice`)
  return days.toSorted((one, other) => (one.date < other.date ? -1 : 1))
}

function validatedSpans(path: string, day: string, given: readonly Span[]): Span[] {
  if (given.length > mostSpans) throw refused(path, `${day}: at most ${mostSpans} spans`)
  const spans = given.map((span): Span => {
    const [from, to] = span
    if (span.length !== 2 || !isTime(from) || !(isTime(to) || to === '24:00')) {
      throw refused(
        path,
        `${day}: ${shown(JSON.stringify(span))} must be two times from 00:00 to 24:00, as ["09:00","17:00"]`
      )
    }
    if (to <= from) throw refused(path, `${day}: ${from}–${to} must end after it begins`)
    return [from, to]
  })
  const sorted = spans.toSorted(([one], [other]) => (one < other ? -1 : 1))
  const overlapping = sorted.findIndex(([from], at) => at > 0 && from < sorted[at - 1]![1])
  if (overlapping > 0) {
    const [former, span] = [sorted[overlapping - 1]!, sorted[overlapping]!]
    throw refused(path, `${day}: ${former.join('–')} and ${span.join('–')} overlap`)
  }
  return sorted
}

const namesOfDays: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday'
}

function isTime(text: string | undefined): text is string {
  return text !== undefined && /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
}

function requireDate(path: string, date: string): void {
  if (years.test(date) && isDateOrTime(date)) return
  throw refused(path, `There is no date ${shown(date)}: dates are written YYYY-MM-DD, from 1970 to 2200`)
}

function shown(text: string): string {
  return text.toWellFormed().slice(0, 60)
}

function refused(path: string, message: string) {
  return InvalidFields({ message, errors: [path] })
}
