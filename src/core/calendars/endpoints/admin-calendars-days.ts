import { Type } from 'typebox'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { endpoint } from '../../endpoint.ts'
import { CalendarView, DaysInput, RecomputePast, Year } from '../calendar-schemas.ts'
import { CalendarNotFound, calendarView } from '../calendars.ts'
import { ChangesPast, updateCalendar } from '../change-calendars.ts'

/** Sets the holidays and other special days of a year: exactly these. */
export const setCalendarDays = endpoint({
  path: '/api/admin/calendars/days',
  aliases: ['/api/admin/calendars/:id/days'],
  summary: "Set a year's holidays of a calendar",
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    id: Id(),
    year: Year,
    days: DaysInput,
    recompute_past: RecomputePast,
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ calendar: CalendarView }),
  errors: [CalendarNotFound, ChangesPast, VersionConflict],
  async handle({ body: { year, ...body }, actor, caller, services }) {
    const calendar = await updateCalendar(services, actor, caller, { ...body, days_of: [year] })
    return { message: 'Days set', data: { calendar: calendarView(calendar) } }
  }
})
