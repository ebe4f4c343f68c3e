import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { proofFailures, requireFresh, TooManyTokens } from '../create-token.ts'
import { replaceToken, TokenReplaced } from '../replace-token.ts'
import { TokenNotFound } from '../revoke-token.ts'
import { NewApiToken, replacementFields } from '../schemas.ts'
import { StaffTokensOff } from '../token-policy.ts'

/** Makes another secret for one of the caller's API tokens, for as long as it was made for. Both work for a day. */
export const replaceOwnToken = endpoint({
  path: '/api/account/tokens/replace',
  summary: 'Replace one of your API tokens',
  access: 'user',
  signedInOnly: true,
  answersSecrets: true,
  body: Type.Object(replacementFields),
  status: 201,
  data: NewApiToken,
  errors: [
    TokenNotFound,
    TokenReplaced,
    StaffTokensOff,
    TooManyTokens,
    ...proofFailures,
    TooManyAttempts,
    Unauthenticated
  ],
  async handle({ body: { id, password, passkey }, session, actor, services, caller }) {
    await requireFresh(services, session, { password, passkey }, caller)
    return { message: 'API token replaced', data: await replaceToken(services, { actor, caller }, actor, id) }
  }
})
