import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { resumeRule as resume } from '../change-rules.ts'
import { ExistingCountChanged } from '../existing-tickets.ts'
import { existingFields, ruleData, ruleView } from '../rule-schemas.ts'
import { RuleNotFound } from '../rules.ts'

/** Lets a paused rule go on with what happens from now on, whoever or whatever has paused it. */
export const resumeRule = endpoint({
  path: '/api/admin/rules/resume',
  aliases: ['/api/admin/rules/:id/resume'],
  summary: 'Let a paused rule go on',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(7), ...existingFields, expected_version: ExpectedVersion }),
  data: ruleData,
  errors: [RuleNotFound, VersionConflict, ExistingCountChanged],
  async handle({ body, actor, caller, services }) {
    const rule = await resume(services, actor, caller, body)
    return { message: 'Rule resumed', data: await ruleView(services.db, rule) }
  }
})
