import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { createOwnToken } from './endpoints/account-tokens-create.ts'
import { listOwnTokens } from './endpoints/account-tokens-list.ts'
import { renameOwnToken } from './endpoints/account-tokens-rename.ts'
import { replaceOwnToken } from './endpoints/account-tokens-replace.ts'
import { revokeOwnToken } from './endpoints/account-tokens-revoke.ts'
import { listServiceCalls } from './endpoints/admin-service-accounts-calls-list.ts'
import { addServiceAccount } from './endpoints/admin-service-accounts-create.ts'
import { removeServiceAccount } from './endpoints/admin-service-accounts-delete.ts'
import { showServiceAccount } from './endpoints/admin-service-accounts-detail.ts'
import { showServiceAccounts } from './endpoints/admin-service-accounts-list.ts'
import { createServiceToken } from './endpoints/admin-service-accounts-tokens-create.ts'
import { replaceServiceToken } from './endpoints/admin-service-accounts-tokens-replace.ts'
import { changeServiceAccount } from './endpoints/admin-service-accounts-update.ts'
import { listAllTokens } from './endpoints/admin-tokens-list.ts'
import { revokeAnyToken } from './endpoints/admin-tokens-revoke.ts'

export const tokensEndpoints: readonly AnyEndpoint[] = [
  listOwnTokens,
  createOwnToken,
  renameOwnToken,
  replaceOwnToken,
  revokeOwnToken,
  listAllTokens,
  revokeAnyToken,
  showServiceAccounts,
  showServiceAccount,
  listServiceCalls,
  addServiceAccount,
  changeServiceAccount,
  removeServiceAccount,
  createServiceToken,
  replaceServiceToken
]
