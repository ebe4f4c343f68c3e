import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { TooManySlaPolicies, unarchiveSlaPolicy as unarchivePolicy } from '../change-policies.ts'
import { SlaPolicyNotFound } from '../policies.ts'
import { applyToOpen, policyData, policyView } from '../policy-schemas.ts'

/** Takes an archived policy back into use; it is tried after all others. */
export const unarchiveSlaPolicy = endpoint({
  path: '/api/admin/sla-policies/unarchive',
  aliases: ['/api/admin/sla-policies/:id/unarchive'],
  summary: 'Take an archived SLA policy back into use',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(3), apply_to_open: applyToOpen, expected_version: ExpectedVersion }),
  data: policyData,
  errors: [SlaPolicyNotFound, VersionConflict, TooManySlaPolicies],
  async handle({ body, actor, caller, services }) {
    const policy = await unarchivePolicy(services, actor, caller, body)
    return { message: 'SLA policy is in use again', data: await policyView(services.db, policy) }
  }
})
