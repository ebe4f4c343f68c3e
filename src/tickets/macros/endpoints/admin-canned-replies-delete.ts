import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { deleteMacro } from '../change-macros.ts'
import { CannedReplyNotFound } from '../macros.ts'

/** Permanently deletes a canned reply: the caller's own (`tickets.reply`) or a shared one (`tickets.edit_status`). */
export const deleteCannedReply = endpoint({
  path: '/api/admin/canned-replies/delete',
  aliases: ['/api/admin/canned-replies/:id/delete'],
  summary: 'Delete a canned reply',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id() }),
  errors: [CannedReplyNotFound, Forbidden, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await deleteMacro(services, actor, caller, body, 'canned_reply')
    return { message: 'Canned reply deleted', data: { deleted_id: body.id } }
  }
})
