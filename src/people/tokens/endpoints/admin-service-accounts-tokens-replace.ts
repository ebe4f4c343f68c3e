import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { proofFailures, requireFresh, TooManyTokens } from '../create-token.ts'
import { replaceToken, serviceOwnerOf, TokenReplaced } from '../replace-token.ts'
import { TokenNotFound } from '../revoke-token.ts'
import { NewApiToken, replacementFields } from '../schemas.ts'

/** Makes another secret for an API token (`id`) of a service account, for as long as it was made for. Both work for a day. */
export const replaceServiceToken = endpoint({
  path: '/api/admin/service-accounts/tokens/replace',
  summary: 'Replace an API token of a service account',
  access: 'admin',
  signedInOnly: true,
  answersSecrets: true,
  body: Type.Object(replacementFields),
  status: 201,
  data: NewApiToken,
  errors: [TokenNotFound, TokenReplaced, TooManyTokens, ...proofFailures, TooManyAttempts, Unauthenticated],
  async handle({ body: { id, password, passkey }, session, actor, services, caller }) {
    await requireFresh(services, session, { password, passkey }, caller)
    const owner = await serviceOwnerOf(services.db, id)
    return { message: 'API token replaced', data: await replaceToken(services, { actor, caller }, owner, id) }
  }
})
