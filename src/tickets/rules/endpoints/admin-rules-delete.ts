import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { deleteRule as removeRule } from '../change-rules.ts'
import { RuleNotFound } from '../rules.ts'

/** Deletes a rule with the log of its runs. What it did to tickets stays. */
export const deleteRule = endpoint({
  path: '/api/admin/rules/delete',
  aliases: ['/api/admin/rules/:id/delete'],
  summary: 'Delete a rule',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(7), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id(7) }),
  errors: [RuleNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    await removeRule(services, actor, caller, body)
    return { message: 'Rule deleted', data: { deleted_id: body.id } }
  }
})
