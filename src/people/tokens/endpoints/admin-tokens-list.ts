import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { allTokens } from '../api-tokens.ts'
import { OwnedApiToken } from '../schemas.ts'

const limits = { fallback: 100, max: 100 }

/** Lists the API tokens of everybody, newest first. Nobody sees a secret. */
export const listAllTokens = endpoint({
  path: '/api/admin/tokens/list',
  aliases: ['/api/admin/tokens'],
  summary: 'List the API tokens of everybody',
  access: 'admin',
  signedInOnly: true,
  onlyReads: true,
  body: Type.Object(pageFields(limits)),
  data: Type.Object({
    ...pagedFields,
    api_tokens: Type.Array(OwnedApiToken)
  }),
  async handle({ body, services: { db } }) {
    const page = pageOf(body, limits)
    const { tokens, total } = await allTokens(db, page)
    return { message: 'API tokens', data: { ...paged(tokens, total, page), api_tokens: tokens } }
  }
})
