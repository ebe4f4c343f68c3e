import { Type } from 'typebox'
import { Id } from '../../../kit/schemas.ts'
import { endpoint } from '../../endpoint.ts'
import { CalendarView } from '../calendar-schemas.ts'
import { CalendarNotFound, calendarOf, calendarView } from '../calendars.ts'

/** A calendar with its weeks and days. */
export const showCalendar = endpoint({
  path: '/api/admin/calendars/detail',
  aliases: ['/api/admin/calendars/:id', '/api/admin/calendars/:id/detail'],
  summary: 'Show a calendar with its holidays',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  data: Type.Object({ calendar: CalendarView }),
  errors: [CalendarNotFound],
  async handle({ body, services }) {
    return { message: 'Calendar', data: { calendar: calendarView(await calendarOf(services.db, body.id)) } }
  }
})
