import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { deleteProvider, SsoProviderNotFound } from '../change-providers.ts'

/** Deletes an identity provider: whoever was connected there signs in otherwise. */
export const deleteSsoProvider = endpoint({
  path: '/api/admin/sso/delete',
  aliases: ['/api/admin/sso/:id/delete'],
  summary: 'Delete an identity provider',
  access: 'admin',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ id: Id() }),
  errors: [SsoProviderNotFound],
  async handle({ body, actor, services, caller }) {
    await deleteProvider(services, actor, body.id, caller)
    return { message: 'Identity provider deleted' }
  }
})
