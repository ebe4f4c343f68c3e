import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { updateRule as changeRule } from '../change-rules.ts'
import { ExistingCountChanged } from '../existing-tickets.ts'
import { existingFields, ruleData, ruleFieldsToChange, ruleView } from '../rule-schemas.ts'
import { RuleNotFound } from '../rules.ts'

/** Changes the given fields. What began before ends under the version with which it began. */
export const updateRule = endpoint({
  path: '/api/admin/rules/update',
  aliases: ['/api/admin/rules/:id/update'],
  summary: 'Change a rule, or turn it on or off',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(7), ...ruleFieldsToChange, ...existingFields, expected_version: ExpectedVersion }),
  data: ruleData,
  errors: [RuleNotFound, VersionConflict, ExistingCountChanged],
  async handle({ body, actor, caller, services }) {
    const rule = await changeRule(services, actor, caller, body)
    return { message: 'Rule updated', data: await ruleView(services.db, rule) }
  }
})
