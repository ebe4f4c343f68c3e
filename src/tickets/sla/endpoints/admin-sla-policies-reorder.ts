import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { reorderSlaPolicies as reorderPolicies } from '../change-policies.ts'
import { applyToOpen, policiesData, policiesView } from '../policy-schemas.ts'

/** Sets the order in which policies are tried: those named come first, in this order, the others follow as they were. */
export const reorderSlaPolicies = endpoint({
  path: '/api/admin/sla-policies/reorder',
  summary: 'Set the order in which SLA policies are tried',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    ids: Type.Array(Id(3), { minItems: 1, maxItems: 100, examples: [[3, 1, 2]] }),
    apply_to_open: applyToOpen
  }),
  data: policiesData,
  async handle({ body, actor, caller, services }) {
    const policies = await reorderPolicies(services, actor, caller, body)
    return { message: 'SLA policies reordered', data: await policiesView(services.db, policies) }
  }
})
