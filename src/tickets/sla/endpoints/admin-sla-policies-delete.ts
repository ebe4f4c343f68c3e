import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { deleteSlaPolicy as removePolicy, SlaPolicyHasClocks } from '../change-policies.ts'
import { SlaPolicyNotFound } from '../policies.ts'

/** Deletes a policy by which no clock was ever counted; others are archived, so that what was promised can still be explained. */
export const deleteSlaPolicy = endpoint({
  path: '/api/admin/sla-policies/delete',
  aliases: ['/api/admin/sla-policies/:id/delete'],
  summary: 'Delete an SLA policy',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ id: Id(3), expected_version: ExpectedVersion }),
  data: Type.Object({ deleted_id: Id(3) }),
  errors: [SlaPolicyNotFound, VersionConflict, SlaPolicyHasClocks],
  async handle({ body, actor, caller, services }) {
    await removePolicy(services, actor, caller, body)
    return { message: 'SLA policy deleted', data: { deleted_id: body.id } }
  }
})
