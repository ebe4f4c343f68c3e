import { type CalendarHours, weekdays } from '../../src/core/calendars/hours.ts'

const minute = 60_000

/** The open time of a calendar as a person would count it: minute by minute, asking `Intl` what the clock on the wall shows. */
export function minuteOracle(hours: CalendarHours) {
  const wall = new Intl.DateTimeFormat('en-GB', {
    timeZone: hours.time_zone,
    ...({ weekday: 'short', year: 'numeric', month: '2-digit', day: '2-digit' } as const),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const)
  })
  const weeks = hours.weeks.toSorted((one, other) => ((one.valid_from ?? '') < (other.valid_from ?? '') ? 1 : -1))

  function isOpen(at: number): boolean {
    // "Sun, 29/03/2026, 03:00"
    const shown = wall.format(at)
    const date = `${shown.slice(11, 15)}-${shown.slice(8, 10)}-${shown.slice(5, 7)}`
    const time = shown.slice(17, 22)
    const weekday = weekdays.find(name => shown.toLowerCase().startsWith(name))!
    const own = hours.days.find(day => day.date === date)
    const week = weeks.find(({ valid_from }) => valid_from === null || valid_from <= date)
    const spans = own ? own.hours : (week?.hours[weekday] ?? [])
    return spans.some(([from, to]) => from <= time && time < to)
  }

  return {
    isOpen,
    /** How many minutes are open. */
    between(from: number, to: number): number {
      let open = 0
      for (let at = from; at < to; at += minute) if (isOpen(at)) open += 1
      return open
    },
    /** When that many open minutes have gone by; undefined if not by `until`. */
    add(from: number, minutes: number, until: number): number | undefined {
      let open = 0
      for (let at = from; at < until; at += minute) {
        if (isOpen(at)) open += 1
        if (open === minutes) return at + minute
      }
      return undefined
    }
  }
}
