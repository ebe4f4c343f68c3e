import fc from 'fast-check'
import type { CalendarHours, Span } from '../../src/core/calendars/hours.ts'

/** Zones with an instant near which their clocks do something odd, or none. */
const oddities: [zone: string, instants: string[]][] = [
  ['Europe/Berlin', ['2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-12-31T23:00Z']],
  ['America/New_York', ['2026-03-08T07:00Z', '2026-11-01T06:00Z', '2027-01-01T00:00Z']],
  // Half an hour of summer time.
  ['Australia/Lord_Howe', ['2026-04-04T15:00Z', '2026-10-03T15:30Z']],
  // Samoa had no 30 December 2011: it moved to the other side of the date line.
  ['Pacific/Apia', ['2011-12-30T10:00Z', '2011-09-24T14:00Z', '2026-07-01T00:00Z']],
  // Midnight itself was skipped.
  ['America/Sao_Paulo', ['2018-11-04T03:00Z', '2018-02-18T02:00Z']],
  ['Africa/Cairo', ['2026-04-23T22:00Z', '2026-10-29T21:00Z']],
  ['Asia/Kolkata', ['2026-02-28T18:30Z']],
  ['Asia/Kathmandu', ['2028-02-28T18:15Z']],
  ['UTC', ['2026-12-31T23:59Z']]
]

const minute = 60_000
const day = 1440 * minute

/** A random calendar, and an instant near which something happens in it. */
export const calendarNear: fc.Arbitrary<{ hours: CalendarHours; near: number }> = fc
  .constantFrom(...oddities)
  .chain(([zone, instants]) =>
    fc.record({
      zone: fc.constant(zone),
      near: fc.constantFrom(...instants).map(instant => Date.parse(instant)),
      shift: fc.integer({ min: -2880, max: 720 })
    })
  )
  .chain(({ zone, near, shift }) => calendarAround(zone, near).map(hours => ({ hours, near: near + shift * minute })))

function calendarAround(time_zone: string, near: number): fc.Arbitrary<CalendarHours> {
  const date = fc.integer({ min: -4, max: 6 }).map(days => new Date(near + days * day).toISOString().slice(0, 10))
  const validFrom = fc.option(date, { nil: null })
  return fc.record({
    time_zone: fc.constant(time_zone),
    is_always: fc.constant(false),
    weeks: fc.uniqueArray(fc.record({ valid_from: validFrom, hours: weekHours() }), {
      minLength: 1,
      maxLength: 3,
      selector: week => week.valid_from
    }),
    days: fc.uniqueArray(fc.record({ date, name: fc.constantFrom('Holiday', 'Inventory'), hours: spans() }), {
      maxLength: 4,
      selector: each => each.date
    })
  })
}

function weekHours() {
  const hours = spans()
  const record = { mon: hours, tue: hours, wed: hours, thu: hours, fri: hours, sat: hours, sun: hours }
  return fc.record(record, { requiredKeys: [] })
}

/** Up to three spans of a day; they may touch, and many begin or end at midnight or in the hours in which clocks change. */
function spans(): fc.Arbitrary<Span[]> {
  const mark = fc.oneof(
    fc.constantFrom(0, 1440, 120, 150, 180, 540, 1020),
    fc.integer({ min: 0, max: 1440 }),
    fc.integer({ min: 0, max: 96 }).map(quarters => quarters * 15)
  )
  return fc.tuple(fc.uniqueArray(mark, { maxLength: 6 }), fc.boolean()).map(([marks, touching]) => {
    const sorted = marks.toSorted((one, other) => one - other)
    return sorted
      .slice(1)
      .map((to, at): Span => [timeOf(sorted[at]!), timeOf(to)])
      .filter((_, at) => touching || at % 2 === 0)
      .slice(0, 3)
  })
}

function timeOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
