import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { RuleVersionView, ruleVersions } from '../rule-versions.ts'
import { RuleNotFound } from '../rules.ts'

/**
 * What a rule says and has said, the newest hundred versions, the present one first. Pausing, resuming and turning it off are versions too. Saving
 * what a former one said with `rules/update` brings it back.
 */
export const listRuleVersions = endpoint({
  path: '/api/admin/rules/versions',
  aliases: ['/api/admin/rules/:id/versions'],
  summary: 'List the versions of a rule',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Id(7) }),
  synonyms: { rule_id: 'id' },
  data: Type.Object({ versions: Type.Array(RuleVersionView) }),
  errors: [RuleNotFound],
  async handle({ body, services: { db } }) {
    return { message: 'Versions of the rule', data: { versions: await ruleVersions(db, body.id) } }
  }
})
