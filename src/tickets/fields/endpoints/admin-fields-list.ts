import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { FieldView, fieldView } from '../field-schemas.ts'
import { allFields } from '../fields.ts'

/** All custom fields in their order, archived ones last. */
export const listFields = endpoint({
  path: '/api/admin/fields/list',
  aliases: ['/api/admin/fields'],
  summary: 'List the custom fields of tickets',
  access: 'staff',
  onlyReads: true,
  data: Type.Object({ fields: Type.Array(FieldView) }),
  async handle({ services }) {
    return { message: 'Fields', data: { fields: (await allFields(services.db)).map(fieldView) } }
  }
})
