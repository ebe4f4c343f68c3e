import { sql } from 'kysely'
import { failure } from '../../kit/errors.ts'
import { type Db, prepared } from '../db.ts'
import type { CalendarView, ListedCalendar } from './calendar-schemas.ts'
import type { CalendarHours, Day, Week } from './hours.ts'
import { type OpenTime, openTimeOf } from './open-time.ts'

export const CalendarNotFound = failure(404, 'calendar_not_found', 'There is no such calendar')

/** A calendar with its hours. */
export interface Calendar extends CalendarHours {
  id: number
  name: string
  is_default: boolean
  is_archived: boolean
  version: number
}

/** A calendar that one counts with. */
export type CountingCalendar = Calendar & { open: OpenTime }

/** What was worked out for calendars, by their revision: a changed calendar has another. */
const kept = new Map<string, CountingCalendar>()
const mostKept = 200

/**
 * The calendars with these ids, by id, ready to count with; those that do not exist are missing. Their spans are kept in memory as long as nobody
 * changes them, so that this is one small query for all of them.
 */
export async function countingCalendars(db: Db, ids: readonly number[]): Promise<Map<number, CountingCalendar>> {
  const revisions = await revisionsOf(db, { ids })
  const missing = revisions.filter(({ revision }) => !kept.has(revision)).map(({ id }) => id)
  for (const { revision, ...calendar } of missing.length > 0 ? await withHours(db, { ids: missing }) : []) {
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value!)
    kept.set(revision, { ...calendar, open: openTimeOf(calendar) })
  }
  const found = revisions.flatMap(({ id, revision }) => {
    const calendar = kept.get(revision)
    return calendar ? [[id, calendar] as const] : []
  })
  return new Map(found)
}

/** The calendar with this id, ready to count with. Throws `CalendarNotFound`. */
export async function countingCalendar(db: Db, id: number): Promise<CountingCalendar> {
  const calendar = (await countingCalendars(db, [id])).get(id)
  if (!calendar) throw CalendarNotFound()
  return calendar
}

/** The calendar with its weeks and days, locked against changes. Throws `CalendarNotFound`. */
export async function lockedCalendar(db: Db, id: number): Promise<Calendar> {
  const [row] = await locked(db, { id })
  if (!row) throw CalendarNotFound()
  return await calendarOf(db, id)
}

/** The calendar with its weeks and days. Throws `CalendarNotFound`. */
export async function calendarOf(db: Db, id: number): Promise<Calendar> {
  const [calendar] = await withHours(db, { ids: [id] })
  if (!calendar) throw CalendarNotFound()
  const { revision: _revision, ...rest } = calendar
  return rest
}

/** All calendars by name, archived ones last. */
export async function allCalendars(db: Db): Promise<ListedCalendar[]> {
  return (await listed(db, {})).map(listedView)
}

/** The same with their days. */
export async function calendarsWithDays(db: Db): Promise<Calendar[]> {
  const calendars = await allCalendars(db)
  const rows = await withHours(db, { ids: calendars.map(({ id }) => id) })
  const byId = new Map(rows.map(({ revision: _revision, ...calendar }) => [calendar.id, calendar]))
  return calendars.flatMap(({ id }) => byId.get(id) ?? [])
}

/** When each of these calendars next opens, by id; without those that are archived or never open anew. */
export async function nextOpenings(
  db: Db,
  calendars: readonly ListedCalendar[],
  now: Date
): Promise<Map<number, string>> {
  const ids = calendars.filter(({ is_archived, is_always }) => !is_archived && !is_always).map(({ id }) => id)
  const openings = [...(await countingCalendars(db, ids))].flatMap(([id, { open }]) => {
    const opening = open.opensAfter(now)
    return opening ? [[id, opening.toISOString()] as const] : []
  })
  return new Map(openings)
}

export function calendarView(calendar: Calendar): CalendarView {
  return { ...listedView(calendar), days: [...calendar.days] }
}

function listedView({ id, name, time_zone, weeks, version, ...flags }: Omit<Calendar, 'days'>) {
  return {
    id,
    name,
    time_zone,
    is_always: flags.is_always ? 1 : 0,
    is_default: flags.is_default ? 1 : 0,
    is_archived: flags.is_archived ? 1 : 0,
    weeks: [...weeks],
    version
  } satisfies ListedCalendar
}

const revisionsOf = prepared((db, p: { ids: readonly number[] }) =>
  db.selectFrom('calendars').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select(['id', 'revision'])
)

const locked = prepared((db, p: { id: number }) =>
  db.selectFrom('calendars').where('id', '=', p.id).select('id').forUpdate()
)

const withHours = prepared((db, p: { ids: readonly number[] }) =>
  withWeeks(db)
    .select('revision')
    .select(
      sql<
        Day[]
      >`(select coalesce(json_agg(json_build_object('date', day.date::text, 'name', day.name, 'hours', day.hours)
        order by day.date), '[]') from calendar_days as day where day.calendar_id = calendars.id)`.as('days')
    )
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
)

const listed = prepared(db => withWeeks(db).orderBy('is_archived').orderBy(sql`lower(name)`))

function withWeeks(db: Db) {
  return db
    .selectFrom('calendars')
    .select(['id', 'name', 'time_zone', 'is_always', 'is_default', 'is_archived', 'version'])
    .select(
      sql<Week[]>`(select coalesce(json_agg(json_build_object('valid_from', week.valid_from::text, 'hours', week.hours)
        order by week.valid_from nulls first), '[]') from calendar_weeks as week where week.calendar_id = calendars.id)`.as(
        'weeks'
      )
    )
}
