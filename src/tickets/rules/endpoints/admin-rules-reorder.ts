import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { reorderRules as reorder } from '../change-rules.ts'
import { rulesData, rulesView } from '../rule-schemas.ts'

/** Sets the order in which rules run: those named come first, in this order, the others follow as they were. */
export const reorderRules = endpoint({
  path: '/api/admin/rules/reorder',
  summary: 'Set the order in which rules run',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ ids: Type.Array(Id(3), { minItems: 1, maxItems: 200, examples: [[3, 1, 2]] }) }),
  data: rulesData,
  async handle({ body, actor, caller, services }) {
    const rules = await reorder(services, actor, caller, body)
    return { message: 'Rules reordered', data: await rulesView(services.db, rules, services.clock.now()) }
  }
})
