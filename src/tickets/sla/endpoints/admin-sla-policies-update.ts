import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { updateSlaPolicy as changePolicy } from '../change-policies.ts'
import { SlaPolicyNotFound } from '../policies.ts'
import { applyToOpen, policyData, policyFieldsToChange, policyView } from '../policy-schemas.ts'

/**
 * Changes the given fields; `targets` are replaced as a whole. A ticket follows the changed policy when its policy is chosen the next time, or
 * at once with `apply_to_open`.
 */
export const updateSlaPolicy = endpoint({
  path: '/api/admin/sla-policies/update',
  aliases: ['/api/admin/sla-policies/:id/update'],
  summary: 'Change an SLA policy, or turn it off',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    id: Id(3),
    ...policyFieldsToChange,
    apply_to_open: applyToOpen,
    expected_version: ExpectedVersion
  }),
  data: policyData,
  errors: [SlaPolicyNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const policy = await changePolicy(services, actor, caller, body)
    return { message: 'SLA policy updated', data: await policyView(services.db, policy) }
  }
})
