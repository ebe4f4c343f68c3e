import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { tokensOf, tokenView } from '../api-tokens.ts'
import { ApiTokenView } from '../schemas.ts'

const limits = { fallback: 100, max: 100 }

/** Lists the caller's API tokens, newest first; those that have expired for a month. */
export const listOwnTokens = endpoint({
  path: '/api/account/tokens/list',
  summary: 'List your API tokens',
  access: 'user',
  signedInOnly: true,
  onlyReads: true,
  body: Type.Object(pageFields(limits)),
  data: Type.Object({ ...pagedFields, api_tokens: Type.Array(ApiTokenView) }),
  async handle({ body, actor, services: { db } }) {
    const page = pageOf(body, limits)
    const { tokens, total } = await tokensOf(db, actor, page)
    return { message: 'Your API tokens', data: { ...paged(tokens, total, page), api_tokens: tokens.map(tokenView) } }
  }
})
