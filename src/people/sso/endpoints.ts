import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { listIdentities } from './endpoints/account-identities.ts'
import { linkIdentity } from './endpoints/account-identities-link.ts'
import { unlinkIdentity } from './endpoints/account-identities-unlink.ts'
import { createSsoProvider } from './endpoints/admin-sso-create.ts'
import { deleteSsoProvider } from './endpoints/admin-sso-delete.ts'
import { listSsoProviders } from './endpoints/admin-sso-list.ts'
import { listSsoRefusals } from './endpoints/admin-sso-refusals-list.ts'
import { testSsoProvider } from './endpoints/admin-sso-test.ts'
import { changeSsoProvider } from './endpoints/admin-sso-update.ts'
import { readChallenge } from './endpoints/sso-challenge.ts'
import { listSignOns } from './endpoints/sso-providers.ts'

export const ssoEndpoints: readonly AnyEndpoint[] = [
  listSignOns,
  readChallenge,
  listIdentities,
  linkIdentity,
  unlinkIdentity,
  listSsoProviders,
  createSsoProvider,
  changeSsoProvider,
  deleteSsoProvider,
  testSsoProvider,
  listSsoRefusals
]
