import { CalendarChanges } from '../../../core/calendars/calendar-schemas.ts'
import { CalendarNotFound } from '../../../core/calendars/calendars.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { calendarImpact } from '../calendar-impact.ts'
import { ClockImpact } from '../impact.ts'

/** Counts what the fields of an update of a calendar would change if they were saved. */
export const showCalendarImpact = endpoint({
  path: '/api/admin/calendars/impact',
  aliases: ['/api/admin/calendars/:id/impact'],
  summary: 'Show what a change of a calendar would do, without saving it',
  access: 'admin',
  onlyReads: true,
  body: CalendarChanges,
  data: ClockImpact,
  errors: [CalendarNotFound],
  async handle({ body, services, disconnected }) {
    const impact = await calendarImpact(services, body, disconnected())
    return { message: 'Impact of the calendar', data: impact }
  }
})
