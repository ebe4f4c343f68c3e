import type { Actor } from '../actor.ts'
import { countGuess, forgiveGuess } from '../guessing/guesses.ts'
import { failure, MissingFields, Unauthenticated } from '../kit/errors.ts'
import { sameSecret } from '../platform/secrets/keys.ts'
import type { Services } from '../services.ts'
import { keepPendingSecret, turnTwoFactorOff, turnTwoFactorOn } from './account-changes.ts'
import { type AnyAccount, accountById } from './accounts.ts'
import { passwordGuess } from './log-in.ts'
import { proveFactor, sealPurpose } from './second-factor.ts'
import { newSecret, otpauthUri } from './totp.ts'

export const TwoFactorOn = failure(400, 'Two-factor authentication is on already')
export const TwoFactorOff = failure(400, 'Two-factor authentication is not on')
export const NotTheSetupSecret = failure(400, 'This is not the secret of the latest 2FA setup')
export const WrongPassword = failure(401, 'Invalid password')

/** A new secret for an authenticator app. It is pending until it is enabled; one in force stays so (decision 17). */
export async function setUpTwoFactor(
  services: Services,
  actor: Actor
): Promise<{ secret: string; otpauthUri: string; isEnabled: boolean }> {
  const account = await accountOf(services, actor)
  const secret = newSecret()
  await keepPendingSecret(services.db, account, { secret: services.keys.seal(sealPurpose(account), secret) })
  return { secret, otpauthUri: otpauthUri(secret, account.email), isEnabled: account.two_factor_enabled }
}

/**
 * Puts the pending secret in force for somebody whose app shows its codes. Throws `TwoFactorOn`, `NotTheSetupSecret`,
 * `WrongFactor`, and 429 after too many guesses.
 */
export async function enableTwoFactor(
  services: Services,
  actor: Actor,
  { secret, code }: { secret: string; code: string },
  ip: string
): Promise<void> {
  const { db, keys, clock } = services
  const account = await accountOf(services, actor)
  const pending = account.two_factor_pending_secret
  if (account.two_factor_enabled) throw TwoFactorOn()
  // Base32 has no small letters; people who type it do.
  if (!pending || !sameSecret(secret.toUpperCase(), keys.unseal(sealPurpose(account), pending))) {
    throw NotTheSetupSecret({ errors: ['secret'] })
  }
  await proveFactor(services, account, pending, code, ip)
  if (!(await turnTwoFactorOn(db, account, { secret: pending, now: clock.now() }))) throw NotTheSetupSecret()
}

/**
 * Takes the second factor away from somebody who shows the password or a code; where both are sent, either will do.
 * Throws 400 for neither, `TwoFactorOff`, `WrongPassword`, `WrongFactor`, and 429 after too many guesses.
 */
export async function disableTwoFactor(
  services: Services,
  actor: Actor,
  { password, code }: { password?: string; code?: string },
  ip: string
): Promise<void> {
  const { db, clock } = services
  if (password === undefined && code === undefined) {
    throw MissingFields({ message: 'Missing required fields: password or code', errors: ['password', 'code'] })
  }
  const account = await accountOf(services, actor)
  if (!account.two_factor_enabled) throw TwoFactorOff()
  const secret = account.two_factor_secret!

  const isKnown = password !== undefined && (await knowsPassword(services, account, password, ip))
  if (!isKnown) {
    if (code === undefined) throw WrongPassword()
    await proveFactor(services, account, secret, code, ip)
  }
  if (!(await turnTwoFactorOff(db, account, { secret, now: clock.now() }))) throw TwoFactorOff()
}

async function knowsPassword(services: Services, account: AnyAccount, password: string, ip: string): Promise<boolean> {
  const guess = passwordGuess(account.population, account.email, ip)
  const fits = await services.passwords.fits(password, account.password, () => countGuess(services, guess))
  if (fits) await forgiveGuess(services, guess)
  return fits
}

/** The actor's whole account; deleted since the bearer was looked up, it is nobody's. */
async function accountOf({ db }: Services, actor: Actor): Promise<AnyAccount> {
  const account = await accountById(db, actor)
  if (!account) throw Unauthenticated({ headers: { 'www-authenticate': 'Bearer' } })
  return account
}
