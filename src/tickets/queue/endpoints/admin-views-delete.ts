import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { deleteView as removeView } from '../change-views.ts'
import { ViewNotFound } from '../saved-views.ts'

/** Deletes one's own view, personal or shared; admins delete any shared one. */
export const deleteView = endpoint({
  path: '/api/admin/views/delete',
  aliases: ['/api/admin/views/:id/delete'],
  summary: 'Delete a view of the queue',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id() }),
  errors: [ViewNotFound, Forbidden, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await removeView(services, actor, caller, body)
    return { message: 'View deleted', data: { deleted_id: body.id } }
  }
})
