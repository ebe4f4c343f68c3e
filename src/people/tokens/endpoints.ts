import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { createOwnToken } from './endpoints/account-tokens-create.ts'
import { listOwnTokens } from './endpoints/account-tokens-list.ts'
import { revokeOwnToken } from './endpoints/account-tokens-revoke.ts'
import { listAllTokens } from './endpoints/admin-tokens-list.ts'
import { revokeAnyToken } from './endpoints/admin-tokens-revoke.ts'

export const tokensEndpoints: readonly AnyEndpoint[] = [
  listOwnTokens,
  createOwnToken,
  revokeOwnToken,
  listAllTokens,
  revokeAnyToken
]
