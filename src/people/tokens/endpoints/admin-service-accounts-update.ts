import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { BooleanInput, Id, Name } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { serviceAccountFields } from '../schemas.ts'
import { ServiceAccountNotFound, ServiceAccountView, updateServiceAccount } from '../service-accounts.ts'

/** Changes the given fields of a service account. With `is_active: 0` its tokens end. */
export const changeServiceAccount = endpoint({
  path: '/api/admin/service-accounts/update',
  aliases: ['/api/admin/service-accounts/:id/update'],
  summary: 'Change a service account',
  access: 'admin',
  signedInOnly: true,
  about: { staff: ['id'] },
  body: Type.Object({
    id: Id(),
    name: Type.Optional(Name(100, 'Shop system')),
    ...serviceAccountFields,
    is_active: Type.Optional(BooleanInput(1)),
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ service_account: ServiceAccountView }),
  errors: [ServiceAccountNotFound, VersionConflict],
  async handle({ body: { id, ...given }, actor, caller, services }) {
    const service_account = await updateServiceAccount(services, { actor, caller }, id, given)
    return { message: 'Service account changed', data: { service_account } }
  }
})
