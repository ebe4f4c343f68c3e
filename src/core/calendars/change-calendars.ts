import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { localDate } from '../../lib/time-zones.ts'
import type { StaffActor } from '../actor.ts'
import { type Act, type ActServices, act } from '../acts/act.ts'
import { type Db, prepared } from '../db.ts'
import type { CalendarChanges, CalendarInput } from './calendar-schemas.ts'
import { type Calendar, calendarOf, lockedCalendar } from './calendars.ts'
import type { CalendarHours, Day } from './hours.ts'
import { validatedHours } from './validated-hours.ts'

export const CalendarExists = failure(409, 'calendar_exists', 'There is a calendar with this name already')
export const TooManyCalendars = failure(409, 'too_many_calendars', 'There are 200 calendars already')
export const DefaultCalendar = failure(
  409,
  'default_calendar',
  'This is the default calendar: make another one the default first'
)
export const ChangesPast = failure(
  409,
  'changes_past',
  'This changes dates before today, on which time was counted already: send recompute_past: 1 to do so, or let it begin today'
)

const mostCalendars = 200

/** Adds a calendar. Throws `InvalidFields`, `CalendarExists`, `TooManyCalendars`. */
export async function createCalendar(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  given: CalendarInput
): Promise<Calendar> {
  return await changing(services, actor, caller, async act => {
    const { db } = act
    const { name, is_default, ...rest } = given
    const hours = validatedHours({ weeks: [], days: [], ...rest, is_always: rest.is_always === 1 }, act.now)
    await oneAtATime(db)
    if ((await countOf(db, {}))[0]!.count >= mostCalendars) throw TooManyCalendars()
    if (is_default) await dropDefault(db, { now: act.now })
    const row = { name, zone: hours.time_zone, isAlways: hours.is_always, isDefault: is_default === 1, now: act.now }
    const [created] = await insert(db, row)
    await storeHours(db, created!.id, hours)
    return tell(act, undefined, await calendarOf(db, created!.id))
  })
}

/**
 * Changes the given fields; `weeks` are replaced whole, and `days` too or, with `days_of`, those of these years. Rule C5: what changes dates before
 * today needs `recompute_past`. Throws `CalendarNotFound`, `InvalidFields`, `CalendarExists`, `ChangesPast`, `VersionConflict`.
 */
export async function updateCalendar(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  changes: CalendarChanges
): Promise<Calendar> {
  return await changing(services, actor, caller, async act => {
    const { db, now } = act
    // Otherwise two that become the default at once would both be it.
    if (changes.is_default === 1) await oneAtATime(db)
    const former = await lockedCalendar(db, changes.id)
    requireVersion(former.version, changes.expected_version)
    const wanted = changedCalendar(former, changes, now)
    if (isDeepStrictEqual(comparable(wanted), comparable(former))) return former
    if (changes.is_default === 0 && former.is_default) throw DefaultCalendar({ errors: ['is_default'] })
    if (wanted.is_default && former.is_archived)
      throw DefaultCalendar({ message: 'An archived calendar cannot be the default' })
    const touchesPast = changesPast(former, wanted, now)
    if (touchesPast && changes.recompute_past !== 1) throw ChangesPast({ errors: ['recompute_past'] })

    if (wanted.is_default && !former.is_default) await dropDefault(db, { now })
    const { id, name, time_zone: zone, is_always: isAlways, is_default: isDefault } = wanted
    await rewrite(db, { id, name, zone, isAlways, isDefault, now })
    await storeHours(db, id, wanted)
    return tell(act, former, await calendarOf(db, id), touchesPast)
  })
}

/** The calendar as it would be with these changes. Throws `InvalidFields`. */
export function changedCalendar(former: Calendar, changes: CalendarChanges, now: Date): Calendar {
  const hours = validatedHours(
    {
      time_zone: changes.time_zone ?? former.time_zone,
      is_always: changes.is_always === undefined ? former.is_always : changes.is_always === 1,
      weeks: changes.weeks ?? former.weeks,
      days: changedDays(former.days, changes)
    },
    now
  )
  const is_default = changes.is_default === undefined ? former.is_default : changes.is_default === 1
  return { ...former, ...hours, name: changes.name ?? former.name, is_default }
}

/** Archives a calendar, which is not chosen any more, or takes it back. Throws `CalendarNotFound`, `DefaultCalendar`, `VersionConflict`. */
export async function archiveCalendar(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: { id: number; expected_version?: number },
  isArchived: boolean
): Promise<Calendar> {
  return await changing(services, actor, caller, async act => {
    const { db, now } = act
    const former = await lockedCalendar(db, id)
    requireVersion(former.version, expected_version)
    if (former.is_archived === isArchived) return former
    if (former.is_default) throw DefaultCalendar()
    await setArchived(db, { id, isArchived, now })
    return tell(act, former, await calendarOf(db, id))
  })
}

/** Whether anything that counts on dates before today is different (C5). */
function changesPast(former: Calendar, wanted: Calendar, now: Date): boolean {
  if (former.is_always && wanted.is_always) return false
  return !isDeepStrictEqual(pastOf(comparable(former), now), pastOf(comparable(wanted), now))
}

/** The same without the days of the week that are sent as closed: what is left out is closed too, and both are one calendar. */
function comparable<C extends CalendarHours>(calendar: C): C {
  const weeks = calendar.weeks.map(({ valid_from, hours }) => {
    const open = Object.entries(hours).filter(([, spans]) => spans.length > 0)
    return { valid_from, hours: Object.fromEntries(open) }
  })
  return { ...calendar, weeks }
}

/** What says when a calendar was open before today, of its own zone. */
function pastOf({ time_zone, is_always, weeks, days }: CalendarHours, now: Date): CalendarHours {
  const today = localDate(now, time_zone)
  return {
    time_zone,
    is_always,
    weeks: weeks.filter(({ valid_from }) => valid_from === null || valid_from < today),
    days: days.filter(({ date }) => date < today)
  }
}

type GivenDay = NonNullable<CalendarChanges['days']>[number]

function changedDays(former: readonly Day[], { days, days_of: years }: CalendarChanges): readonly GivenDay[] {
  if (!years) return days ?? [...former]
  const isOfThem = ({ date }: { date: string }) => years.includes(Number(date.slice(0, 4)))
  const other = days?.find(day => !isOfThem(day))
  if (other) {
    const path = `days.${other.date.toWellFormed().slice(0, 20)}`
    throw InvalidFields({ message: `${other.date} lies in none of the years of days_of`, errors: [path] })
  }
  return [...former.filter(day => !isOfThem(day)), ...(days ?? [])]
}

async function oneAtATime(db: Db): Promise<void> {
  await sql`lock table calendars in share row exclusive mode`.execute(db)
}

async function changing<R>(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  work: (act: Act) => Promise<R>
): Promise<R> {
  try {
    return await act(services, { actor, caller }, work)
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
    if (constraint === 'calendars_name_key') throw CalendarExists({ errors: ['name'] })
    throw error
  }
}

/** Records what is different. */
function tell(act: Act, former: Calendar | undefined, calendar: Calendar, recomputesPast = false): Calendar {
  const [before, after] = [former ? factsOf(former, calendar) : null, factsOf(calendar, former)]
  act.happened({
    kind: 'calendar.changed',
    subject: { type: 'calendar', id: calendar.id },
    before,
    after: { ...after, ...(recomputesPast ? { recompute_past: true } : {}) }
  })
  return calendar
}

/** What the log says of a calendar: the name, and what differs from the other; without another everything. Of the days those alone that the other does not have. */
export function factsOf(calendar: Calendar, other?: Calendar) {
  const { name, version, time_zone, is_always, is_default, is_archived, weeks } = calendar
  const days = calendar.days.filter(day => !other?.days.some(each => isDeepStrictEqual(each, day)))
  const facts = { time_zone, is_always, is_default, is_archived, weeks: [...weeks] }
  const different = Object.entries(facts).filter(
    ([field, value]) => !other || !isDeepStrictEqual(other[field as keyof typeof facts], value)
  )
  return {
    name,
    version,
    ...(Object.fromEntries(different) as Partial<typeof facts>),
    ...(days.length > 0 ? { days } : {})
  }
}

async function storeHours(db: Db, calendar: number, { weeks, days }: CalendarHours): Promise<void> {
  await db.deleteFrom('calendar_weeks').where('calendar_id', '=', calendar).execute()
  await db.deleteFrom('calendar_days').where('calendar_id', '=', calendar).execute()
  await insertWeeks(db, { calendar, weeks: JSON.stringify(weeks) })
  await insertDays(db, { calendar, days: JSON.stringify(days) })
}

const insertWeeks = prepared((db, p: { calendar: number; weeks: string }) =>
  db
    .insertInto('calendar_weeks')
    .columns(['calendar_id', 'valid_from', 'hours'])
    .expression(db =>
      db
        .selectFrom(
          sql<{ valid_from: string | null; hours: string }>`json_to_recordset(${p.weeks}::json)`.as<'week'>(
            sql`week(valid_from date, hours jsonb)`
          )
        )
        .select([sql<number>`${p.calendar}::bigint`.as('id'), 'week.valid_from', 'week.hours'])
    )
)

const insertDays = prepared((db, p: { calendar: number; days: string }) =>
  db
    .insertInto('calendar_days')
    .columns(['calendar_id', 'date', 'name', 'hours'])
    .expression(db =>
      db
        .selectFrom(
          sql<{ date: string; name: string; hours: string }>`json_to_recordset(${p.days}::json)`.as<'day'>(
            sql`day(date date, name text, hours jsonb)`
          )
        )
        .select([sql<number>`${p.calendar}::bigint`.as('id'), 'day.date', 'day.name', 'day.hours'])
    )
)

interface Stored {
  name: string
  zone: string
  isAlways: boolean
  isDefault: boolean
  now: Date
}

const countOf = prepared(db => db.selectFrom('calendars').select(({ fn }) => fn.countAll<number>().as('count')))

const insert = prepared((db, p: Stored) =>
  db
    .insertInto('calendars')
    .values({
      name: p.name,
      time_zone: p.zone,
      is_always: p.isAlways,
      is_default: p.isDefault,
      created_at: p.now,
      updated_at: p.now
    })
    .returning('id')
)

const rewrite = prepared((db, p: Stored & { id: number }) =>
  db
    .updateTable('calendars')
    .where('id', '=', p.id)
    .set({ name: p.name, time_zone: p.zone, is_always: p.isAlways, is_default: p.isDefault })
    .set(changedAt(p.now))
)

const dropDefault = prepared((db, p: { now: Date }) =>
  db.updateTable('calendars').where('is_default', '=', sql.lit(true)).set({ is_default: false }).set(changedAt(p.now))
)

const setArchived = prepared((db, p: { id: number; isArchived: boolean; now: Date }) =>
  db.updateTable('calendars').where('id', '=', p.id).set({ is_archived: p.isArchived }).set(changedAt(p.now))
)

function changedAt(now: Date) {
  return { updated_at: now, revision: sql<string>`gen_random_uuid()` }
}
