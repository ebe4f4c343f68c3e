import { Type } from 'typebox'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { InUse } from '../../definitions/uses.ts'
import { endpoint } from '../../endpoint.ts'
import { CalendarNotFound } from '../calendars.ts'
import { DefaultCalendar } from '../change-calendars.ts'
import { CalendarHasClocks, deleteCalendar as removeCalendar } from '../delete-calendar.ts'

/** Permanently deletes a calendar that nothing uses and by which nothing was counted; another one is archived instead. */
export const deleteCalendar = endpoint({
  path: '/api/admin/calendars/delete',
  aliases: ['/api/admin/calendars/:id/delete'],
  summary: 'Delete a calendar',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id() }),
  errors: [CalendarNotFound, DefaultCalendar, InUse, CalendarHasClocks, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await removeCalendar(services, actor, caller, body)
    return { message: 'Calendar deleted', data: { deleted_id: body.id } }
  }
})
