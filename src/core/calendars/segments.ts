import { type CalendarHours, type Day, type Span, type Week, weekdays } from './hours.ts'
import { zoneStretches } from './zone-stretches.ts'

/** Why a calendar is closed: a day of its own hours (`name`), Saturday or Sunday, the time between two spans of a day, any other time. */
export type ClosedReason = 'day' | 'weekend' | 'lunch' | 'break' | 'outside_hours'

/** A part of the time line that is open (`reason` null), or closed for one reason. In milliseconds. */
export interface Segment {
  from: number
  to: number
  reason: ClosedReason | null
  /** The name of the day, with the reason `day`. */
  name: string | null
}

const minuteMilliseconds = 60_000
const dayMinutes = 1440
const dayMilliseconds = dayMinutes * minuteMilliseconds

/**
 * The time line of a calendar between two instants, without gaps; neighbours may be alike. Rule C1: a minute is open if the clock on the wall of the
 * zone shows a time inside that local date's hours. Since it is only ever UTC that is turned into the time on the wall, an hour that summer time
 * skips has no instants, and one that it repeats has two (C2).
 */
export function segmentsOf(hours: CalendarHours): (from: number, to: number) => Generator<Segment> {
  const dateOf = localDates(hours)
  return function* (from, to) {
    for (const stretch of zoneStretches(hours.time_zone, from, to)) {
      let day = Math.floor((stretch.from + stretch.offset) / dayMilliseconds)
      for (; day * dayMilliseconds - stretch.offset < stretch.to; day += 1) {
        const midnight = day * dayMilliseconds - stretch.offset
        for (const segment of dateOf(day)) {
          const start = Math.max(stretch.from, midnight + segment.from * minuteMilliseconds)
          const end = Math.min(stretch.to, midnight + segment.to * minuteMilliseconds)
          if (start < end) yield { ...segment, from: start, to: end }
        }
      }
    }
  }
}

/**
 * The segments of a local date, in minutes from its midnight on the wall, from 0 to 1440. Rule C3: the day's own hours if it has some, else those
 * of the week with the greatest `valid_from`. A date is named by its number of days since 1970-01-01.
 */
function localDates({ weeks, days }: CalendarHours): (day: number) => readonly Segment[] {
  const latestFirst = weeks
    .map(week => ({ from: week.valid_from === null ? -Infinity : dayNumber(week.valid_from), dates: datesOf(week) }))
    .toSorted((one, other) => other.from - one.from)
  const special = new Map(days.map(day => [dayNumber(day.date), day]))

  function ordinary(day: number): readonly Segment[] {
    const week = latestFirst.find(({ from }) => from <= day)
    return week ? week.dates[weekdayOf(day)]! : closedAllDay
  }
  return day => {
    const own = special.get(day)
    return own ? segmentsOfDay(own, ordinary(day)) : ordinary(day)
  }
}

const closedAllDay: readonly Segment[] = [{ from: 0, to: dayMinutes, reason: 'outside_hours', name: null }]

/** The segments of the seven dates of a week, from Sunday. */
function datesOf({ hours }: Week): (readonly Segment[])[] {
  return weekdays.map(weekday => {
    const spans = hours[weekday] ?? []
    const isWeekend = (weekday === 'sat' || weekday === 'sun') && spans.length === 0
    return withGaps(spans, (from, to) => (isWeekend ? 'weekend' : ordinaryReason(from, to)))
  })
}

/** A day of its own hours: what it closes that is open in an ordinary week is closed because of it. */
function segmentsOfDay({ name, hours }: Day, ordinary: readonly Segment[]): Segment[] {
  return withGaps(hours, (from, to) => {
    const takesAway = ordinary.some(each => each.reason === null && each.from < to && from < each.to)
    return hours.length === 0 || takesAway ? 'day' : ordinaryReason(from, to)
  }).map(segment => (segment.reason === 'day' ? { ...segment, name } : segment))
}

/** Between two spans of a day it is lunch if that touches the time from 12:00 to 14:00. */
function ordinaryReason(from: number, to: number): ClosedReason {
  if (from === 0 || to === dayMinutes) return 'outside_hours'
  return from < 14 * 60 && to > 12 * 60 ? 'lunch' : 'break'
}

function withGaps(spans: readonly Span[], reasonOf: (from: number, to: number) => ClosedReason): Segment[] {
  const open = spans
    .map(([from, to]) => ({ from: minuteOf(from), to: minuteOf(to), reason: null, name: null }))
    .toSorted((one, other) => one.from - other.from)
  const segments: Segment[] = []
  let at = 0
  for (const span of [...open, { from: dayMinutes, to: dayMinutes, reason: null, name: null }]) {
    if (at < span.from) segments.push({ from: at, to: span.from, reason: reasonOf(at, span.from), name: null })
    if (span.from < span.to) segments.push(span)
    at = span.to
  }
  return segments
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return hours! * 60 + minutes!
}

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMilliseconds
}

/** 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}
