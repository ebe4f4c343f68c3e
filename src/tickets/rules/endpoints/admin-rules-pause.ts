import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { pauseRule as pause } from '../change-rules.ts'
import { ruleData, ruleView } from '../rule-schemas.ts'
import { RuleNotFound } from '../rules.ts'

/** Lets a rule stand still. What happens meanwhile passes it by. */
export const pauseRule = endpoint({
  path: '/api/admin/rules/pause',
  aliases: ['/api/admin/rules/:id/pause'],
  summary: 'Pause a rule',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(7), expected_version: ExpectedVersion }),
  data: ruleData,
  errors: [RuleNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const rule = await pause(services, actor, caller, body)
    return { message: 'Rule paused', data: await ruleView(services.db, rule) }
  }
})
