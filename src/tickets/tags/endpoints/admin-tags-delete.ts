import { Type } from 'typebox'
import { InUse } from '../../../core/definitions/uses.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { deleteTag as removeTag } from '../change-tags.ts'
import { TagNotFound } from '../tags.ts'

/** Permanently deletes a tag, and removes it from all tickets. What shared views and other definitions use is not deleted. */
export const deleteTag = endpoint({
  path: '/api/admin/tags/delete',
  aliases: ['/api/admin/tags/:id/delete'],
  summary: 'Delete a tag',
  access: { anyOf: ['tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({ id: Id(), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id(), ticket_count: Type.Integer({ minimum: 0, examples: [12] }) }),
  errors: [TagNotFound, VersionConflict, InUse],
  async handle({ body, actor, caller, services }) {
    const { tickets } = await removeTag(services, actor, caller, body)
    return { message: 'Tag deleted', data: { deleted_id: body.id, ticket_count: tickets } }
  }
})
