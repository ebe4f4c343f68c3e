import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ruleData, ruleView } from '../rule-schemas.ts'
import { RuleNotFound, ruleWithId } from '../rules.ts'

/** One rule, with the warnings about it. */
export const showRule = endpoint({
  path: '/api/admin/rules/detail',
  aliases: ['/api/admin/rules/:id', '/api/admin/rules/:id/detail'],
  summary: 'Show a rule',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Id(7) }),
  data: ruleData,
  errors: [RuleNotFound],
  async handle({ body, services: { db } }) {
    return { message: 'Rule', data: await ruleView(db, await ruleWithId(db, body.id)) }
  }
})
