import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Flag, Nullable } from '../../../kit/schemas.ts'
import { bit } from '../../../lib/bit.ts'
import { pageOf } from '../../../lib/page.ts'
import { tokensOf, tokenView } from '../api-tokens.ts'
import { maxTokens } from '../create-token.ts'
import { ApiTokenView } from '../schemas.ts'
import { tokenPolicy } from '../token-policy.ts'

/** Whether the caller may make tokens, for how many days at most (null: for ever), and how many of them. */
const policyFields = {
  may_make: Flag(1),
  longest_days: Nullable(Type.Integer({ examples: [365] })),
  most: Type.Integer({ examples: [maxTokens] })
}

const limits = { fallback: 100, max: 100 }

/** Lists the caller's API tokens, newest first; those that have expired for a month. */
export const listOwnTokens = endpoint({
  path: '/api/account/tokens/list',
  summary: 'List your API tokens',
  access: 'user',
  signedInOnly: true,
  onlyReads: true,
  body: Type.Object(pageFields(limits)),
  data: Type.Object({ ...pagedFields, api_tokens: Type.Array(ApiTokenView), ...policyFields }),
  async handle({ body, actor, services: { db } }) {
    const page = pageOf(body, limits)
    const { tokens, total } = await tokensOf(db, actor, page)
    const { mayMake, longestDays } = await tokenPolicy(db, actor)
    const policy = { may_make: bit(mayMake), longest_days: longestDays, most: maxTokens }
    return {
      message: 'Your API tokens',
      data: { ...paged(tokens, total, page), api_tokens: tokens.map(tokenView), ...policy }
    }
  }
})
