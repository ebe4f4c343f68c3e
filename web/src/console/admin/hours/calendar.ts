import { t } from '../../../lib/strings.ts'
import { dateText, weekdayOf, weekdayText } from './calendar-dates.ts'
import { readTimes, type Span, type TimesFault, timesText } from './typed-times.ts'
import { type Weekday, weekdays } from './weekdays.ts'

/** Hours that hold from a date on; null: from the beginning. */
export interface Week {
  valid_from: string | null
  hours: StoredHours
}

/** A date with hours of its own; without any it is closed. */
export interface Day {
  date: string
  name: string
  hours: Span[]
}

/** What is edited on the page of a calendar. The times of each day are what is typed. */
export interface Draft {
  name: string
  time_zone: string
  weeks: DraftWeek[]
  days: Day[]
}

interface DraftWeek {
  valid_from: string | null
  /** As the service says them; it is sent back so where nothing was changed. */
  stored?: StoredHours
  typed: Readonly<Record<Weekday, string>>
}

/** A calendar as the service says it. */
type StoredHours = Partial<Record<Weekday, string[][]>>

interface Saved {
  name: string
  time_zone: string
  weeks: { valid_from: string | null; hours: StoredHours }[]
  days: { date: string; name: string; hours: string[][] }[]
}

export function draftOf({ name, time_zone, weeks, days }: Saved): Draft {
  return {
    name,
    time_zone,
    weeks: weeks.map(({ valid_from, hours }) => ({ valid_from, stored: hours, typed: typedOf(hours) })),
    days: days.map(day => ({ ...day, hours: spansOf(day.hours) }))
  }
}

function typedOf(hours: StoredHours): Record<Weekday, string> {
  return eachDay(day => timesText(spansOf(hours[day])))
}

function spansOf(hours: string[][] = []): Span[] {
  return hours.map(([from = '', to = '']) => [from, to])
}

/** The hours of a draft; undefined if something in it cannot be read. */
export function hoursOf({ weeks, days }: Draft): { weeks: Week[]; days: Day[] } | undefined {
  if (firstFault({ weeks })) return undefined
  const read = weeks.map(({ valid_from, stored, typed }) => {
    const hours = eachDay(day => readTimes(typed[day]).spans ?? [])
    const isSame = stored && JSON.stringify(typedOf(stored)) === JSON.stringify(typedOf(hours))
    return { valid_from, hours: isSame ? stored : hours }
  })
  return { weeks: read, days }
}

/** The place of the week that holds on a date. */
export function weekOn({ weeks }: Pick<Draft, 'weeks'>, date: string): number {
  return Math.max(
    0,
    weeks.findLastIndex(({ valid_from }) => valid_from === null || valid_from <= date)
  )
}

/** Whether a date is closed by its week, whatever days there are. */
export function isClosedByWeek(draft: Draft, date: string): boolean {
  const week = draft.weeks[weekOn(draft, date)]
  return week !== undefined && readTimes(week.typed[weekdayOf(date)]).spans?.length === 0
}

/** What of the changes is before today: since when, or all of it, which cannot be left out. Undefined if nothing is. */
export function pastChange(
  saved: Draft,
  draft: Draft,
  today: string
): { since: string | null; isWhole: boolean } | undefined {
  if (saved.time_zone !== draft.time_zone) return { since: null, isWhole: true }
  const current = draft.weeks[weekOn(draft, today)]
  const before = current && saved.weeks.find(({ valid_from }) => valid_from === current.valid_from)
  const isWeekPast = current !== undefined && current.valid_from !== today && !isSameWeek(before, current)
  const pastDays = changedDays(saved, draft).filter(date => date < today)
  if (isWeekPast) return { since: current.valid_from, isWhole: false }
  return pastDays.length > 0 ? { since: pastDays.toSorted()[0]!, isWhole: false } : undefined
}

/**
 * What is sent to save a draft. Without the past a week that holds today is left as it was, and its new hours begin today; days that are over stay.
 */
export function sentHours(saved: Draft, draft: Draft, today: string, withPast: boolean) {
  const { name, time_zone } = draft
  let { weeks, days } = draft
  const past = pastChange(saved, draft, today)
  if (past && !withPast) {
    const at = weekOn(draft, today)
    const current = weeks[at]!
    const before = saved.weeks.find(({ valid_from }) => valid_from === current.valid_from)
    if (before && current.valid_from !== today && !isSameWeek(before, current))
      weeks = weeks.toSpliced(at, 1, before, { valid_from: today, typed: current.typed })
    days = [...saved.days.filter(({ date }) => date < today), ...days.filter(({ date }) => date >= today)]
  }
  const read = hoursOf({ name, time_zone, weeks, days })!
  return { name, time_zone, ...read, ...(withPast && past && { recompute_past: 1 as const }) }
}

function isSameWeek(one: DraftWeek | undefined, other: DraftWeek): boolean {
  return weekdays.every(
    day => one && JSON.stringify(readTimes(one.typed[day])) === JSON.stringify(readTimes(other.typed[day]))
  )
}

/** The dates whose days differ. */
function changedDays(saved: Draft, draft: Draft): string[] {
  const of = (days: readonly Day[]) => new Map(days.map(day => [day.date, JSON.stringify([day.name, day.hours])]))
  const [was, is] = [of(saved.days), of(draft.days)]
  return [...new Set([...was.keys(), ...is.keys()])].filter(date => was.get(date) !== is.get(date))
}

/** The first row that cannot be read. */
export function firstFault({ weeks }: Pick<Draft, 'weeks'>): { week: number; day: Weekday } | undefined {
  for (const [week, { typed }] of weeks.entries())
    for (const day of weekdays) if (readTimes(typed[day]).fault) return { week, day }
  return undefined
}

/** What differs, each in a few words: "Thursday until 18:30", "24 Dec closed". */
export function changesOf(saved: Draft, draft: Draft): string[] {
  const changes: string[] = []
  if (saved.name !== draft.name) changes.push(t('hours.nameChanged', { name: draft.name }))
  if (saved.time_zone !== draft.time_zone) changes.push(t('hours.zoneChanged', { zone: draft.time_zone }))
  for (const { valid_from, typed } of draft.weeks) {
    const before = saved.weeks.find(week => week.valid_from === valid_from)
    const since = valid_from && draft.weeks.length > 1 ? `${t('hours.from', { date: dateText(valid_from) })}: ` : ''
    if (!before) changes.push(t('hours.newWeek', { date: dateText(valid_from ?? '') }))
    else
      for (const day of weekdays) {
        const change = dayChange(before.typed[day], typed[day])
        if (change) changes.push(`${since}${weekdayText(day, 'long')} ${change}`)
      }
  }
  for (const { valid_from } of saved.weeks)
    if (!draft.weeks.some(week => week.valid_from === valid_from))
      changes.push(t('hours.weekRemoved', { date: dateText(valid_from ?? '') }))
  for (const day of draft.days) {
    const before = saved.days.find(({ date }) => date === day.date)
    const hours = timesText(day.hours) || t('hours.closedThen')
    if (!before || timesText(before.hours) !== timesText(day.hours)) changes.push(`${dateText(day.date)} ${hours}`)
    else if (before.name !== day.name) changes.push(`${dateText(day.date)}: ${day.name}`)
  }
  for (const { date } of saved.days)
    if (!draft.days.some(day => day.date === date)) changes.push(t('hours.dayRemoved', { date: dateText(date) }))
  return changes
}

/** "until 18:30", "from 08:00", "closed", or all of the times. */
function dayChange(before: string, after: string): string | undefined {
  const [was, is] = [readTimes(before).spans ?? [], readTimes(after).spans]
  // What cannot be read is a change, and is shown as it is.
  if (!is) return after
  if (timesText(was) === timesText(is)) return undefined
  if (is.length === 0) return t('hours.closedThen')
  const last = is.at(-1)![1]
  const first = is[0]![0]
  const untilEnd = (spans: readonly Span[]) => timesText(spans).replace(/[^–]*$/, '')
  const afterStart = (spans: readonly Span[]) => timesText(spans).replace(/^[^–]*/, '')
  if (was.length > 0 && untilEnd(was) === untilEnd(is)) return t('hours.until', { time: last })
  if (was.length > 0 && afterStart(was) === afterStart(is)) return t('hours.from', { date: first })
  // A break that was taken away, or hours cut after one, end earlier.
  if (was.length > is.length && timesText(was).startsWith(timesText(is))) return t('hours.until', { time: last })
  return timesText(is)
}

export function faultText(fault: TimesFault): string {
  if (fault.kind === 'tooMany') return t('hours.fault.tooMany', { most: fault.most })
  if (fault.kind === 'inside' || fault.kind === 'overlap') {
    const { part, other } = fault
    return t(`hours.fault.${fault.kind}`, { part, other })
  }
  return t(`hours.fault.${fault.kind}`, { part: fault.part })
}

export function eachDay<Value>(value: (day: Weekday) => Value): Record<Weekday, Value> {
  return Object.fromEntries(weekdays.map(day => [day, value(day)])) as Record<Weekday, Value>
}
