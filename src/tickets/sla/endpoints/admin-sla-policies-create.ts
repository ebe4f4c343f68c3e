import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { createSlaPolicy as addPolicy, TooManySlaPolicies } from '../change-policies.ts'
import { applyToOpen, policyData, policyFields, policyFieldsToChange, policyView } from '../policy-schemas.ts'

/**
 * Creates a policy, which is tried after all others. The conditions `{ "all": [] }`, the default, fit every ticket. A policy that can never be reached
 * is created with a warning.
 */
export const createSlaPolicy = endpoint({
  path: '/api/admin/sla-policies/create',
  summary: 'Create an SLA policy',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    ...policyFieldsToChange,
    name: policyFields.name,
    targets: policyFields.targets,
    apply_to_open: applyToOpen
  }),
  status: 201,
  data: policyData,
  errors: [TooManySlaPolicies],
  async handle({ body, actor, caller, services }) {
    const policy = await addPolicy(services, actor, caller, body)
    return { message: 'SLA policy created', data: await policyView(services.db, policy) }
  }
})
