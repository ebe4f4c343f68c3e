import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import {
  createField as addField,
  FieldKeyRests,
  FieldKeyTaken,
  TooManyFields,
  TooManyFilterable
} from '../change-fields.ts'
import { definitionFields, FieldKey, FieldKinds, fieldData, fieldView } from '../field-schemas.ts'

/** Creates a custom field, after all others. Its key and kind never change; clients know nothing of it unless `client_access` says so. */
export const createField = endpoint({
  path: '/api/admin/fields/create',
  summary: 'Create a custom field of tickets',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    key: FieldKey,
    ...Type.Partial(Type.Object(definitionFields)).properties,
    label: definitionFields.label,
    kind: FieldKinds
  }),
  status: 201,
  data: fieldData,
  errors: [FieldKeyTaken, FieldKeyRests, TooManyFields, TooManyFilterable],
  async handle({ body, actor, caller, services }) {
    return { message: 'Field created', data: { field: fieldView(await addField(services, actor, caller, body)) } }
  }
})
