import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { deleteServiceAccount, ServiceAccountNotFound } from '../service-accounts.ts'

/** Deletes a service account with its tokens; what it has done stays in the log. */
export const removeServiceAccount = endpoint({
  path: '/api/admin/service-accounts/delete',
  aliases: ['/api/admin/service-accounts/:id/delete'],
  summary: 'Delete a service account',
  access: 'admin',
  signedInOnly: true,
  about: { staff: ['id'] },
  body: Type.Object({ id: Id() }),
  errors: [ServiceAccountNotFound],
  async handle({ body, actor, caller, services }) {
    await deleteServiceAccount(services, { actor, caller }, body.id)
    return { message: 'Service account deleted' }
  }
})
