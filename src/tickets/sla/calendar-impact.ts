import type { Static } from 'typebox'
import type { CalendarChanges } from '../../core/calendars/calendar-schemas.ts'
import { calendarOf } from '../../core/calendars/calendars.ts'
import { changedCalendar } from '../../core/calendars/change-calendars.ts'
import { openTimeOf } from '../../core/calendars/open-time.ts'
import { catchUpWithLog } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import { slaReader } from './clock-reader.ts'
import { type ClockImpact, clockImpact } from './impact.ts'
import { slaPolicies } from './policies.ts'
import { withCalendars } from './world.ts'

/**
 * What would change of the clocks of open tickets, were these changes of a calendar saved. Nothing of them is written. Throws `CalendarNotFound`,
 * `InvalidFields`.
 */
export async function calendarImpact(
  services: Pick<Services, 'db' | 'clock' | 'events'>,
  changes: CalendarChanges,
  signal: AbortSignal
): Promise<Static<typeof ClockImpact>> {
  const { db } = services
  const now = services.clock.now()
  const wanted = changedCalendar(await calendarOf(db, changes.id), changes, now)
  const desk = await withCalendars(db, await slaPolicies(db))
  const calendars = new Map(desk.calendars)
  if (calendars.has(wanted.id)) calendars.set(wanted.id, { ...wanted, open: openTimeOf(wanted) })
  // What happened just now counts as well.
  await sequence(services)
  await catchUpWithLog(db, slaReader(services))
  const change = { what: 'recomputed', cause: 'calendar', chooses: false } as const
  return await clockImpact(db, { ...desk, calendars }, change, now, signal)
}
