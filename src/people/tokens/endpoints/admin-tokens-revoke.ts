import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { revokeToken, TokenNotFound } from '../revoke-token.ts'

/** Revokes an API token of anybody, which ends at once. */
export const revokeAnyToken = endpoint({
  path: '/api/admin/tokens/revoke',
  aliases: ['/api/admin/tokens/:id/revoke'],
  summary: 'Revoke an API token of anybody',
  access: 'admin',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ id: Id() }),
  errors: [TokenNotFound],
  async handle({ body, actor, services, caller }) {
    await revokeToken(services, { actor, caller, ofAnybody: true }, body.id)
    return { message: 'API token revoked' }
  }
})
