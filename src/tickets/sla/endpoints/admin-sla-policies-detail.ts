import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { SlaPolicyNotFound, slaPolicy } from '../policies.ts'
import { policyData, policyView } from '../policy-schemas.ts'

/** One policy, archived or not, with the warnings about it. */
export const showSlaPolicy = endpoint({
  path: '/api/admin/sla-policies/detail',
  aliases: ['/api/admin/sla-policies/:id', '/api/admin/sla-policies/:id/detail'],
  summary: 'Show an SLA policy',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Id(3) }),
  data: policyData,
  errors: [SlaPolicyNotFound],
  async handle({ body, services }) {
    return { message: 'SLA policy', data: await policyView(services.db, await slaPolicy(services.db, body.id)) }
  }
})
