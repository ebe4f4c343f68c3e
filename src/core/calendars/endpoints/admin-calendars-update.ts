import { Type } from 'typebox'
import { VersionConflict } from '../../../kit/versions.ts'
import { endpoint } from '../../endpoint.ts'
import { CalendarChanges, CalendarView } from '../calendar-schemas.ts'
import { CalendarNotFound, calendarView } from '../calendars.ts'
import { CalendarExists, ChangesPast, updateCalendar as changeCalendar, DefaultCalendar } from '../change-calendars.ts'

/** Changes the given fields of a calendar; lists are replaced whole, days by the years of `days_of` if it is there. */
export const updateCalendar = endpoint({
  path: '/api/admin/calendars/update',
  aliases: ['/api/admin/calendars/:id/update'],
  summary: 'Change a calendar',
  access: 'admin',
  about: 'caller',
  body: CalendarChanges,
  data: Type.Object({ calendar: CalendarView }),
  errors: [CalendarNotFound, CalendarExists, ChangesPast, DefaultCalendar, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const calendar = await changeCalendar(services, actor, caller, body)
    return { message: 'Calendar changed', data: { calendar: calendarView(calendar) } }
  }
})
