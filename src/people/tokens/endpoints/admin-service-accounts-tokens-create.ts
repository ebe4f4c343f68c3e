import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { Id } from '../../../kit/schemas.ts'
import { createToken, proofFailures, requireFresh, TokenNameTaken, TooManyTokens } from '../create-token.ts'
import { NewApiToken, newTokenFields } from '../schemas.ts'
import { ServiceAccountNotFound, serviceActor } from '../service-accounts.ts'

/** Makes an API token of a service account. Its secret is in this response and nowhere else. */
export const createServiceToken = endpoint({
  path: '/api/admin/service-accounts/tokens/create',
  summary: 'Create an API token of a service account',
  access: 'admin',
  signedInOnly: true,
  answersSecrets: true,
  body: Type.Object({ id: Id(), ...newTokenFields }),
  status: 201,
  data: NewApiToken,
  errors: [ServiceAccountNotFound, ...proofFailures, TokenNameTaken, TooManyTokens, TooManyAttempts, Unauthenticated],
  async handle({ body: { id, password, passkey, ...given }, session, actor, services, caller }) {
    await requireFresh(services, session, { password, passkey }, caller)
    const owner = await serviceActor(services.db, id)
    return { message: 'API token created', data: await createToken(services, { actor, caller }, owner, given) }
  }
})
