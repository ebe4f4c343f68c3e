import { Type } from 'typebox'
import { DefinitionUse, usesOf } from '../../../core/definitions/uses.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { FieldNotFound, fieldWith } from '../fields.ts'

/** Which definitions use a field, and where in each. */
export const listFieldUses = endpoint({
  path: '/api/admin/fields/uses',
  aliases: ['/api/admin/fields/:id/uses'],
  summary: 'List what uses a custom field',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Id(12) }),
  data: Type.Object({ uses: Type.Array(DefinitionUse) }),
  errors: [FieldNotFound],
  async handle({ body, actor, services }) {
    const { id } = await fieldWith(services.db, body.id)
    return { message: 'Uses of the field', data: { uses: await usesOf(services.db, actor, { kind: 'field', id }) } }
  }
})
