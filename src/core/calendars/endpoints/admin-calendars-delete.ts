import { Type } from 'typebox'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { InUse } from '../../definitions/uses.ts'
import { endpoint } from '../../endpoint.ts'
import { CalendarNotFound } from '../calendars.ts'
import { DefaultCalendar, deleteCalendar as removeCalendar } from '../change-calendars.ts'

/** Permanently deletes a calendar that nothing uses; one that is in use is archived instead. */
export const deleteCalendar = endpoint({
  path: '/api/admin/calendars/delete',
  aliases: ['/api/admin/calendars/:id/delete'],
  summary: 'Delete a calendar',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id() }),
  errors: [CalendarNotFound, DefaultCalendar, InUse, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await removeCalendar(services, actor, caller, body)
    return { message: 'Calendar deleted', data: { deleted_id: body.id } }
  }
})
