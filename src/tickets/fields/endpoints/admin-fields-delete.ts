import { Type } from 'typebox'
import { InUse } from '../../../core/definitions/uses.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { FieldNotArchived, deleteField as removeField } from '../change-fields.ts'
import { FieldNotFound } from '../fields.ts'

/** Deletes an archived field that nothing uses. A job removes its values; its key can be used again after 90 days. */
export const deleteField = endpoint({
  path: '/api/admin/fields/delete',
  aliases: ['/api/admin/fields/:id/delete'],
  summary: 'Delete a custom field with its values',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(12), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id(12) }),
  errors: [FieldNotFound, VersionConflict, FieldNotArchived, InUse],
  async handle({ body, actor, caller, services }) {
    await removeField(services, actor, caller, body)
    return { message: 'Field deleted', data: { deleted_id: body.id } }
  }
})
