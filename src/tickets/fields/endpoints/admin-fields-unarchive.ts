import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { setFieldArchived, TooManyFields, TooManyFilterable } from '../change-fields.ts'
import { fieldData, fieldView } from '../field-schemas.ts'
import { FieldNotFound } from '../fields.ts'

/** Takes an archived field back into use. */
export const unarchiveField = endpoint({
  path: '/api/admin/fields/unarchive',
  aliases: ['/api/admin/fields/:id/unarchive'],
  summary: 'Take a custom field back into use',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(12), expected_version: ExpectedVersion }),
  data: fieldData,
  errors: [FieldNotFound, VersionConflict, TooManyFields, TooManyFilterable],
  async handle({ body, actor, caller, services }) {
    const field = await setFieldArchived(services, actor, caller, body, false)
    return { message: 'Field taken back into use', data: { field: fieldView(field) } }
  }
})
