import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, Name } from '../../../kit/schemas.ts'
import { TokenNameTaken } from '../create-token.ts'
import { renameToken } from '../rename-token.ts'
import { TokenNotFound } from '../revoke-token.ts'
import { ApiTokenView } from '../schemas.ts'

export const renameOwnToken = endpoint({
  path: '/api/account/tokens/rename',
  summary: 'Rename one of your API tokens',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: Type.Object({ id: Id(), name: Name(60, 'Nightly export') }),
  data: Type.Object({ api_token: ApiTokenView }),
  errors: [TokenNotFound, TokenNameTaken],
  async handle({ body, actor, services, caller }) {
    return { message: 'API token renamed', data: { api_token: await renameToken(services, { actor, caller }, body) } }
  }
})
