import { Type } from 'typebox'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { endpoint } from '../../endpoint.ts'
import { CalendarView } from '../calendar-schemas.ts'
import { CalendarNotFound, calendarView } from '../calendars.ts'
import { DefaultCalendar, archiveCalendar as setArchived } from '../change-calendars.ts'

/** Archives a calendar: it stays where it is used, and cannot be chosen any more. */
export const archiveCalendar = endpoint({
  path: '/api/admin/calendars/archive',
  aliases: ['/api/admin/calendars/:id/archive'],
  summary: 'Archive a calendar',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ calendar: CalendarView }),
  errors: [CalendarNotFound, DefaultCalendar, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const calendar = await setArchived(services, actor, caller, body, true)
    return { message: 'Calendar archived', data: { calendar: calendarView(calendar) } }
  }
})
