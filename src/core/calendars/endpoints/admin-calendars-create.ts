import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { CalendarInput, CalendarView } from '../calendar-schemas.ts'
import { calendarView } from '../calendars.ts'
import { createCalendar as addCalendar, CalendarExists, TooManyCalendars } from '../change-calendars.ts'

/** Adds a calendar: weekly hours by the clock on the wall of a time zone, and days with hours of their own. */
export const createCalendar = endpoint({
  path: '/api/admin/calendars/create',
  summary: 'Create a calendar of business hours',
  access: 'admin',
  about: 'caller',
  body: CalendarInput,
  status: 201,
  data: Type.Object({ calendar: CalendarView }),
  errors: [CalendarExists, TooManyCalendars],
  async handle({ body, actor, caller, services }) {
    const calendar = await addCalendar(services, actor, caller, body)
    return { message: 'Calendar created', data: { calendar: calendarView(calendar) } }
  }
})
