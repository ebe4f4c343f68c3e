import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { tokensOf, tokenView } from '../api-tokens.ts'
import { maxTokens } from '../create-token.ts'
import { ApiTokenView } from '../schemas.ts'
import { ServiceAccountNotFound, ServiceAccountView, serviceAccount } from '../service-accounts.ts'

/** Shows a service account with its tokens, newest first. Nobody sees a secret. */
export const showServiceAccount = endpoint({
  path: '/api/admin/service-accounts/detail',
  aliases: ['/api/admin/service-accounts/:id', '/api/admin/service-accounts/:id/detail'],
  summary: 'Show a service account and its API tokens',
  access: 'admin',
  signedInOnly: true,
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  data: Type.Object({ service_account: ServiceAccountView, api_tokens: Type.Array(ApiTokenView) }),
  errors: [ServiceAccountNotFound],
  async handle({ body: { id }, services: { db } }) {
    const service_account = await serviceAccount(db, id)
    const { tokens } = await tokensOf(db, { population: 'staff', id }, { limit: 2 * maxTokens, offset: 0, page: 1 })
    return { message: 'Service account', data: { service_account, api_tokens: tokens.map(tokenView) } }
  }
})
