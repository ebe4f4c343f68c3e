import type { Actor } from '../actor.ts'
import { accountKey, countGuess, forgiveGuess, type Guess } from '../guessing/guesses.ts'
import { failure, Unauthenticated } from '../kit/errors.ts'
import type { Population } from '../platform/db/tables.ts'
import type { Services } from '../services.ts'
import { type AnyAccount, accountById } from './accounts.ts'

export const WrongPassword = failure(401, 'Invalid password')

/** The actor's whole account; deleted since the bearer was looked up, it is nobody's. */
export async function accountOf({ db }: Pick<Services, 'db'>, actor: Actor): Promise<AnyAccount> {
  const account = await accountById(db, actor)
  if (!account) throw Unauthenticated({ headers: { 'www-authenticate': 'Bearer' } })
  return account
}

/** Whether somebody who is logged in knows the account's password; counted as a guess at it. Throws 429 after too many. */
export async function knowsPassword(
  services: Services,
  account: AnyAccount,
  password: string,
  ip: string
): Promise<boolean> {
  const guess = passwordGuess(account.population, account.email, ip)
  const fits = await services.passwords.fits(password, account.password, () => countGuess(services, guess))
  if (fits) await forgiveGuess(services, guess)
  return fits
}

/** Guesses at the password are counted by the e-mail address, whether there is such an account or not. */
export function passwordGuess(population: Population, email: string, ip: string): Guess {
  return { kind: 'password', account: accountKey(population, email), ip }
}
