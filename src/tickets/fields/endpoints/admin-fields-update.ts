import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { updateField as changeField, TooManyFields, TooManyFilterable } from '../change-fields.ts'
import { definitionFields, FieldKey, FieldKinds, fieldData, fieldView } from '../field-schemas.ts'
import { FieldNotFound } from '../fields.ts'

/** Changes the given fields of a definition. Its key and kind never change: they may only be repeated. */
export const updateField = endpoint({
  path: '/api/admin/fields/update',
  aliases: ['/api/admin/fields/:id/update'],
  summary: 'Change a custom field',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    id: Id(12),
    ...Type.Partial(Type.Object(definitionFields)).properties,
    key: Type.Optional(FieldKey),
    kind: Type.Optional(FieldKinds),
    expected_version: ExpectedVersion
  }),
  data: fieldData,
  errors: [FieldNotFound, VersionConflict, TooManyFields, TooManyFilterable],
  async handle({ body, actor, caller, services }) {
    return { message: 'Field changed', data: { field: fieldView(await changeField(services, actor, caller, body)) } }
  }
})
