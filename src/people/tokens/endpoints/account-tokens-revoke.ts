import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { revokeToken, TokenNotFound } from '../revoke-token.ts'

/** Revokes one of the caller's API tokens, which ends at once. */
export const revokeOwnToken = endpoint({
  path: '/api/account/tokens/revoke',
  summary: 'Revoke one of your API tokens',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ id: Id() }),
  errors: [TokenNotFound],
  async handle({ body, actor, services, caller }) {
    await revokeToken(services, { actor, caller }, body.id)
    return { message: 'API token revoked' }
  }
})
