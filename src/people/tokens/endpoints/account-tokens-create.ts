import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { createToken, proofFailures, requireFresh, TokenNameTaken, TooManyTokens } from '../create-token.ts'
import { NewApiToken, newTokenFields } from '../schemas.ts'
import { StaffTokensOff } from '../token-policy.ts'

/** Makes an API token of the caller's own. Its secret is in this response and nowhere else. */
export const createOwnToken = endpoint({
  path: '/api/account/tokens/create',
  summary: 'Create an API token',
  access: 'user',
  signedInOnly: true,
  answersSecrets: true,
  body: Type.Object(newTokenFields),
  status: 201,
  data: NewApiToken,
  errors: [StaffTokensOff, ...proofFailures, TokenNameTaken, TooManyTokens, TooManyAttempts, Unauthenticated],
  async handle({ body: { password, passkey, ...given }, session, actor, services, caller }) {
    await requireFresh(services, session, { password, passkey }, caller)
    const data = await createToken(services, { actor, caller }, actor, given)
    return { message: 'API token created', data }
  }
})
