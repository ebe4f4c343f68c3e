import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { deleteMacro as removeMacro } from '../change-macros.ts'
import { MacroNotFound } from '../macros.ts'

/** Permanently deletes a macro: the caller's own (`tickets.reply`) or a shared one (`tickets.edit_status`). */
export const deleteMacro = endpoint({
  path: '/api/admin/macros/delete',
  aliases: ['/api/admin/macros/:id/delete'],
  summary: 'Delete a macro',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id() }),
  errors: [MacroNotFound, Forbidden, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await removeMacro(services, actor, caller, body)
    return { message: 'Macro deleted', data: { deleted_id: body.id } }
  }
})
