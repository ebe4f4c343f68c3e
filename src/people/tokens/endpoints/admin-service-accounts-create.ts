import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Name } from '../../../kit/schemas.ts'
import { serviceAccountFields } from '../schemas.ts'
import { createServiceAccount, ServiceAccountView } from '../service-accounts.ts'

/** Makes a service account: a member of staff that is a program. It acts by API tokens, and nobody can sign in to it. */
export const addServiceAccount = endpoint({
  path: '/api/admin/service-accounts/create',
  summary: 'Create a service account',
  access: 'admin',
  signedInOnly: true,
  about: { staff: ['service_account.id'] },
  body: Type.Object({ name: Name(100, 'Shop system'), ...serviceAccountFields }),
  status: 201,
  data: Type.Object({ service_account: ServiceAccountView }),
  async handle({ body, actor, caller, services }) {
    const service_account = await createServiceAccount(services, { actor, caller }, body)
    return { message: 'Service account created', data: { service_account } }
  }
})
