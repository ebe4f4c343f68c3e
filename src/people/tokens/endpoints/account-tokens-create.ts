import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { WrongPassword } from '../../auth/prove-password.ts'
import { createToken, ReauthenticationRequired, requireFresh, TokenNameTaken, TooManyTokens } from '../create-token.ts'
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
  errors: [
    StaffTokensOff,
    ReauthenticationRequired,
    WrongPassword,
    TokenNameTaken,
    TooManyTokens,
    TooManyAttempts,
    Unauthenticated
  ],
  async handle({ body: { password, ...given }, session, actor, services, caller }) {
    await requireFresh(services, session, password, caller)
    const data = await createToken(services, { actor, caller }, actor, given)
    return { message: 'API token created', data }
  }
})
