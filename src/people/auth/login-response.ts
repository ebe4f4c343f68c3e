import type { Services } from '../../core/services.ts'
import { type PageSession, tokensFor } from '../../core/sessions/page-sessions.ts'
import { type Account, endSessionOfToken, type TokenPair } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import { clientProfileView } from '../clients/views.ts'
import { staffUserView } from '../staff/views.ts'
import { accountOf } from './prove-password.ts'

/**
 * The response to a login. A page keeps one session per population: the former session of its cookie, which nobody can use any more, ends.
 */
export async function loginResponse(
  services: Services,
  page: PageSession | undefined,
  population: Population,
  pair: TokenPair
) {
  if (page?.refreshToken && page.population === population) await endSessionOfToken(services, page.refreshToken)
  return tokensFor(services, page, population, pair)
}

/** The profile of the session's owner, as in the response to a login. */
export async function profileOf(services: Services, owner: Account) {
  const account = await accountOf(services, owner)
  return account.population === 'client' ? clientProfileView(account) : staffUserView(account)
}
