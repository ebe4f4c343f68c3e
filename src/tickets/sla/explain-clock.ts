import { targetOf } from './clock.ts'
import type { ClockStep, StepReason } from './clock-steps.ts'
import type { SlaClock } from './clock-types.ts'
import type { SlaPhrases } from './sla-phrases.ts'

/** What the words about a clock need to know beside it. */
export interface Told {
  phrases: SlaPhrases
  /** The time zone of its calendar. */
  timeZone: string
  calendarName(id: number): string
  /** Whoever caused the event with this row. */
  actorOf(by: number | null): string | null
  openedAt: number
}

const secondMilliseconds = 1000
/** Beyond so many days a text tells no more of each. */
const mostDays = 6

/** Why a stretch did not count, or what changed. */
export function reasonText(why: StepReason | null, { phrases, calendarName, actorOf }: Told): string | null {
  if (!why) return null
  if (why.is === 'closed') return why.reason === 'day' ? why.name : phrases.closed[why.reason]
  if (why.is === 'paused') return phrases.pauseReason[why.reason](actorOf(why.by))
  return phrases.moved(calendarName(why.calendarId), durationText(why.kept, phrases), durationText(why.target, phrases))
}

/** Why a clock shows what it shows, as one paragraph. */
export function explanationText(
  clock: SlaClock,
  steps: readonly ClockStep[],
  { counted, isRecomputing }: { counted: number; isRecomputing: boolean },
  told: Told
): string {
  const { phrases, calendarName, openedAt } = told
  const begun = dayAndTime(clock.started_at, told)
  const start =
    clock.metric !== 'next_response' && clock.started_at === openedAt ? phrases.opened(begun) : phrases.written(begun)
  const beginning =
    clock.metric === 'resolution' && clock.started_at !== openedAt ? phrases.opened(dayAndTime(openedAt, told)) : start
  const within = durationText(targetOf(clock), phrases)
  const promise = phrases.promise[clock.metric](within, calendarName(clock.calendar_id))
  const course = courseOf(steps, told)
  const end = endOf(clock, counted, told)
  const sentence = capitalized(course.length > 0 ? `${course.join('; ')}: ${end}` : end)
  return `${beginning}: ${promise}. ${sentence}.${isRecomputing ? ` ${phrases.recomputing}` : ''}`
}

function endOf(clock: SlaClock, counted: number, told: Told): string {
  const { phrases } = told
  const { due_at, ended_at, outcome, pause_reason, breached_at } = clock
  const due = due_at === null ? null : withZone(due_at, told)
  if (ended_at !== null) return phrases.ended[outcome!](withZone(ended_at, told), due)
  if (pause_reason !== null) {
    const left = durationText(Math.max(0, targetOf(clock) - counted), phrases)
    return phrases.standing(phrases.pauseReason[pause_reason](null), left)
  }
  if (due === null) return phrases.neverOpens
  if (breached_at === null) return phrases.due(due)
  return breached_at > due_at! ? phrases.lateSince(due, withZone(breached_at, told)) : phrases.late(due)
}

/** The stretches, day by day; of very many only their sum. */
function courseOf(steps: readonly ClockStep[], told: Told): string[] {
  const { phrases } = told
  const parts: string[] = []
  const days = new Set(steps.filter(counts).map(({ from }) => dayOf(from, told)))
  let closed: string[] = []
  const flush = () => {
    if (closed.length > 0) parts.push(phrases.closedOn([...new Set(closed)]))
    closed = []
  }
  for (const [index, step] of steps.entries()) {
    const { why, milliseconds } = step
    if (why?.is === 'closed') {
      if (why.reason === 'day') closed.push(phrases.onDay(why.name ?? phrases.closed.day))
      if (why.reason === 'weekend') closed.push(phrases.atWeekend)
    } else if (why) {
      flush()
      const reason = reasonText(why, told)!
      parts.push(why.is === 'paused' ? phrases.paused(durationText(milliseconds, phrases), reason) : reason)
    } else if (days.size <= mostDays && isFirstOfDay(steps, index, told)) {
      flush()
      parts.push(phrases.counted(durationText(sumOfDay(steps, index, told), phrases), dayOf(step.from, told)))
    }
  }
  if (days.size <= mostDays) {
    flush()
    return parts
  }
  const all = steps.filter(counts)
  const sum = all.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const [from, to] = [dayAndTime(all[0]!.from, told), dayAndTime(all.at(-1)!.to, told)]
  const others = parts.filter(part => !part.startsWith(phrases.closedOn(['']).trimEnd()))
  return [phrases.countedInAll(durationText(sum, phrases), from, to), ...others.slice(0, mostDays)]
}

function counts({ kind }: ClockStep): boolean {
  return kind === 'counted' || kind === 'expected'
}

/** Whether nothing but closed hours lies between it and the day's stretch before it. */
function isFirstOfDay(steps: readonly ClockStep[], index: number, told: Told): boolean {
  const day = dayOf(steps[index]!.from, told)
  for (const step of steps.slice(0, index).reverse()) {
    if (dayOf(step.from, told) !== day || step.kind === 'paused' || step.kind === 'moved') return true
    if (counts(step)) return false
  }
  return true
}

function sumOfDay(steps: readonly ClockStep[], index: number, told: Told): number {
  const day = dayOf(steps[index]!.from, told)
  let sum = 0
  for (const step of steps.slice(index)) {
    if (dayOf(step.from, told) !== day || step.kind === 'paused' || step.kind === 'moved') break
    if (counts(step)) sum += step.milliseconds
  }
  return sum
}

/** In hours and minutes; what is shorter than a minute counts as none. */
function durationText(milliseconds: number, { duration }: SlaPhrases): string {
  const minutes = Math.floor(milliseconds / secondMilliseconds / 60)
  return duration(Math.floor(minutes / 60), minutes % 60)
}

function dayOf(at: number, { phrases, timeZone, openedAt }: Told): string {
  const isNear = Math.abs(at - openedAt) < 6 * 86_400_000
  const named = isNear
    ? ({ weekday: 'long' } as const)
    : ({ weekday: 'short', day: 'numeric', month: 'short' } as const)
  return withoutComma(new Intl.DateTimeFormat(phrases.locale, { timeZone, ...named }).format(at))
}

function dayAndTime(at: number, { phrases, timeZone }: Told): string {
  const date = new Intl.DateTimeFormat(phrases.locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' })
  const time = new Intl.DateTimeFormat(phrases.locale, { timeZone, hour: '2-digit', minute: '2-digit' })
  return `${withoutComma(date.format(at))}, ${time.format(at)}`
}

function withZone(at: number, told: Told): string {
  const { phrases, timeZone } = told
  const parts = new Intl.DateTimeFormat(phrases.locale, { timeZone, timeZoneName: 'short' }).formatToParts(at)
  return `${dayAndTime(at, told)} ${parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'}`
}

function withoutComma(text: string): string {
  return text.replace(',', '')
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
