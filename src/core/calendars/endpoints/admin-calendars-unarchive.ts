import { Type } from 'typebox'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { endpoint } from '../../endpoint.ts'
import { CalendarView } from '../calendar-schemas.ts'
import { CalendarNotFound, calendarView } from '../calendars.ts'
import { archiveCalendar as setArchived } from '../change-calendars.ts'

/** Takes a calendar back from the archive. */
export const unarchiveCalendar = endpoint({
  path: '/api/admin/calendars/unarchive',
  aliases: ['/api/admin/calendars/:id/unarchive'],
  summary: 'Unarchive a calendar',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ calendar: CalendarView }),
  errors: [CalendarNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const calendar = await setArchived(services, actor, caller, body, false)
    return { message: 'Calendar unarchived', data: { calendar: calendarView(calendar) } }
  }
})
