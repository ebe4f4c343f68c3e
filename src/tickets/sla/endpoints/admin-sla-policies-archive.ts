import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { archiveSlaPolicy as archivePolicy } from '../change-policies.ts'
import { SlaPolicyNotFound } from '../policies.ts'
import { policyData, policyView } from '../policy-schemas.ts'

/** Takes a policy out of use: its clocks end as withdrawn, and its tickets get the next policy that fits. */
export const archiveSlaPolicy = endpoint({
  path: '/api/admin/sla-policies/archive',
  aliases: ['/api/admin/sla-policies/:id/archive'],
  summary: 'Archive an SLA policy',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(3), expected_version: ExpectedVersion }),
  data: policyData,
  errors: [SlaPolicyNotFound, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const policy = await archivePolicy(services, actor, caller, body)
    return { message: 'SLA policy archived', data: await policyView(services.db, policy) }
  }
})
