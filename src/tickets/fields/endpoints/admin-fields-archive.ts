import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { setFieldArchived } from '../change-fields.ts'
import { fieldData, fieldView } from '../field-schemas.ts'
import { FieldNotFound } from '../fields.ts'

/** Takes a field out of use: nobody sets it any more, and tickets that have a value go on showing it. */
export const archiveField = endpoint({
  path: '/api/admin/fields/archive',
  aliases: ['/api/admin/fields/:id/archive'],
  summary: 'Archive a custom field',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(12), expected_version: ExpectedVersion }),
  data: fieldData,
  errors: [FieldNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const field = await setFieldArchived(services, actor, caller, body, true)
    return { message: 'Field archived', data: { field: fieldView(field) } }
  }
})
