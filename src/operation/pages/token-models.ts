import { listOwnTokens } from '../../people/tokens/endpoints/account-tokens-list.ts'
import { showServiceAccounts } from '../../people/tokens/endpoints/admin-service-accounts-list.ts'
import { listAllTokens } from '../../people/tokens/endpoints/admin-tokens-list.ts'
import { ServiceCallView } from '../../people/tokens/last-calls.ts'
import { ApiTokenOwner, ApiTokenView, OwnedApiToken } from '../../people/tokens/schemas.ts'
import { ServiceAccountView } from '../../people/tokens/service-accounts.ts'

/** The models of API tokens and service accounts, by their names in the document. */
export const tokenModels = {
  ApiToken: ApiTokenView,
  ApiTokenOwned: OwnedApiToken,
  ApiTokenOwnedPage: listAllTokens.data!,
  ApiTokenOwner,
  ApiTokenPage: listOwnTokens.data!,
  ServiceAccount: ServiceAccountView,
  ServiceAccountPage: showServiceAccounts.data!,
  ServiceCall: ServiceCallView
}
