import { clientProfileView } from '../clients/views.ts'
import type { Services } from '../services.ts'
import { type PageSession, tokensFor } from '../sessions/page-sessions.ts'
import { type Account, endSessionOfToken, type TokenPair } from '../sessions/sessions.ts'
import { staffUserView } from '../staff/views.ts'
import type { Population } from '../tables/columns.ts'
import { accountOf } from './prove-password.ts'

/**
 * What whoever has just logged in is answered. A page keeps one session of a population: the one that its cookie led to until now, to which
 * nothing leads any more, ends.
 */
export async function signedIn(
  services: Services,
  page: PageSession | undefined,
  population: Population,
  pair: TokenPair
) {
  if (page?.refreshToken && page.population === population) await endSessionOfToken(services, page.refreshToken)
  return tokensFor(page, population, pair)
}

/** Whose session goes on, as whoever logs in is told. */
export async function profileOf(services: Services, owner: Account) {
  const account = await accountOf(services, owner)
  return account.population === 'client' ? clientProfileView(account) : staffUserView(account)
}
