import type { CalendarHours } from './hours.ts'
import { type ClosedReason, type Segment, segmentsOf } from './segments.ts'

/** A stretch of a calculation: time that counts, or time in which the calendar is closed, with the reason. */
export interface Step {
  from: Date
  to: Date
  kind: 'counted' | 'closed'
  milliseconds: number
  /** Why it is closed; null if it counts. */
  reason: ClosedReason | null
  /** The name of the calendar's day, with the reason `day`. */
  name: string | null
}

/** The open time of one calendar. All calculations are in whole milliseconds. */
export interface OpenTime {
  /** How many milliseconds are open from one instant to another; 0 if the second is not later. */
  between(from: Date, to: Date): number
  /**
   * The earliest instant at which that many open milliseconds have gone by since `from` (S2: the end of a day, not the beginning of the next);
   * null if no open minute comes within five years (S18).
   */
  add(from: Date, milliseconds: number): Date | null
  /** When the calendar opens next after `from`, whether it is open then or not; null if it does not within five years. */
  opensAfter(from: Date): Date | null
  /** The whole stretch from one instant to another in parts that count or do not; what counts adds up to `between`. */
  steps(from: Date, to: Date): Step[]
}

/** The name of a reason in answers: "closed: lunch". */
export function whyClosed({ reason, name }: Pick<Step, 'reason' | 'name'>): string | null {
  return reason === 'day' ? name : reason === null ? null : reason.replace('_', ' ')
}

/** The open spans of one UTC year, in order, with the open time before each. */
interface OpenYear {
  starts: number[]
  ends: number[]
  before: number[]
  total: number
}

const foreverYears = 5
/** A calendar that is open a minute a year still has an end of counting. */
const mostYears = 50
/** Years that are kept of a calendar: a desk counts in few of them. */
const keptYears = 64

/** The open time of a calendar with these hours. Its years are cut into spans when they are first asked for, and kept. */
export function openTimeOf(hours: CalendarHours): OpenTime {
  return hours.is_always ? always : accordingTo(hours)
}

const always: OpenTime = {
  between: (from, to) => Math.max(0, to.getTime() - from.getTime()),
  add: (from, milliseconds) => new Date(from.getTime() + Math.max(0, milliseconds)),
  opensAfter: () => null,
  steps: (from, to) => (from < to ? [stepOf({ from: from.getTime(), to: to.getTime(), reason: null, name: null })] : [])
}

function accordingTo(hours: CalendarHours): OpenTime {
  const segments = segmentsOf(hours)
  const years = new Map<number, OpenYear>()

  function openYear(year: number): OpenYear {
    const known = years.get(year)
    if (known) return known
    const open = openSpans(segments(startOf(year), startOf(year + 1)))
    if (years.size >= keptYears) years.clear()
    years.set(year, open)
    return open
  }

  function isOpenBefore(at: number): boolean {
    return (
      at === startOf(new Date(at).getUTCFullYear()) && openYear(new Date(at - 1).getUTCFullYear()).ends.at(-1) === at
    )
  }

  return {
    between(from, to) {
      if (to <= from) return 0
      const [first, last] = [from.getUTCFullYear(), to.getUTCFullYear()]
      let milliseconds = openBefore(openYear(last), to.getTime()) - openBefore(openYear(first), from.getTime())
      for (let year = first; year < last; year += 1) milliseconds += openYear(year).total
      return milliseconds
    },
    add(from, milliseconds) {
      if (milliseconds <= 0) return from
      let [at, missing, lastOpen] = [from.getTime(), milliseconds, from.getTime()]
      const first = from.getUTCFullYear()
      for (let year = first; year < first + mostYears; year += 1) {
        const open = openYear(year)
        const next = firstIndex(open.ends, end => end > at)
        const isOpenAgain = next < open.ends.length
        const opensAt = isOpenAgain ? Math.max(at, open.starts[next]!) : startOf(year + 1)
        if (opensAt > yearsAfter(lastOpen, foreverYears)) return null
        if (isOpenAgain) {
          const counted = openBefore(open, at)
          if (open.total - counted >= missing) return new Date(instantOf(open, counted + missing))
          missing -= open.total - counted
          lastOpen = open.ends.at(-1)!
        }
        at = startOf(year + 1)
      }
      return null
    },
    opensAfter(from) {
      const first = from.getUTCFullYear()
      for (let year = first; year <= first + foreverYears; year += 1) {
        // What is open at the turn of a year is two spans.
        const isOpening = (start: number) => start > from.getTime() && !isOpenBefore(start)
        const start = openYear(year).starts.find(isOpening)
        if (start !== undefined) return start > yearsAfter(from.getTime(), foreverYears) ? null : new Date(start)
      }
      return null
    },
    steps(from, to) {
      return from < to ? merged(segments(from.getTime(), to.getTime())).map(stepOf) : []
    }
  }
}

function openSpans(segments: Iterable<Segment>): OpenYear {
  const open: OpenYear = { starts: [], ends: [], before: [], total: 0 }
  for (const { from, to, reason } of merged(segments)) {
    if (reason !== null) continue
    open.starts.push(from)
    open.ends.push(to)
    open.before.push(open.total)
    open.total += to - from
  }
  return open
}

/** The open time of a year before an instant in it. */
function openBefore({ starts, ends, before, total }: OpenYear, at: number): number {
  const following = firstIndex(starts, start => start >= at)
  if (following === 0) return 0
  const untilNext = following === starts.length ? total : before[following]!
  return untilNext - Math.max(0, ends[following - 1]! - at)
}

/** The earliest instant of a year at which so much of it was open. */
function instantOf({ starts, ends, before }: OpenYear, open: number): number {
  const span = firstIndex(before, (opened, at) => opened + ends[at]! - starts[at]! >= open)
  return starts[span]! + open - before[span]!
}

/** The index of the first of sorted numbers that fits, by binary search; their count if none does. */
function firstIndex(numbers: readonly number[], fits: (number: number, at: number) => boolean): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(numbers[middle]!, middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Neighbours that are alike as one. */
function merged(segments: Iterable<Segment>): Segment[] {
  const merged: Segment[] = []
  for (const segment of segments) {
    const last = merged.at(-1)
    if (last && last.to === segment.from && last.reason === segment.reason && last.name === segment.name) {
      last.to = segment.to
    } else merged.push({ ...segment })
  }
  return merged
}

function stepOf({ from, to, reason, name }: Segment): Step {
  const kind = reason === null ? 'counted' : 'closed'
  return { from: new Date(from), to: new Date(to), kind, milliseconds: to - from, reason, name }
}

function startOf(year: number): number {
  return Date.UTC(year, 0, 1)
}

function yearsAfter(at: number, years: number): number {
  const date = new Date(at)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}
