import type { Actor, Session } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, MissingFields } from '../../kit/errors.ts'
import { sameSecret } from '../../platform/secrets/same-secret.ts'
import { keepPendingSecret, turnTwoFactorOff, turnTwoFactorOn } from './account-changes.ts'
import type { AnyAccount } from './accounts.ts'
import { accountOf, knowsPassword, WrongPassword } from './prove-password.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { proveFactor, sealPurpose } from './second-factor.ts'
import { newSecret, otpauthUri } from './totp.ts'

export const TwoFactorOn = failure(400, 'two_factor_already_on', 'Two-factor authentication is on already')
export const TwoFactorOff = failure(400, 'two_factor_off', 'Two-factor authentication is not on')
export const OtherSetupSecret = failure(400, 'not_the_pending_secret', 'This is not the secret of the latest 2FA setup')

/** Creates a secret for an authenticator app. It is pending until it is enabled; an active one stays so (decision 17). */
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
 * Activates the pending secret, given a code of it. Throws `TwoFactorOn`, `OtherSetupSecret`, `WrongFactor`, and 429 after too many
 * attempts.
 */
export async function enableTwoFactor(
  services: Services,
  actor: Actor,
  { secret, code }: { secret: string; code: string },
  caller: Caller
): Promise<void> {
  const { keys } = services
  const account = await accountOf(services, actor)
  const pending = account.two_factor_pending_secret
  if (account.two_factor_enabled) throw TwoFactorOn()
  // Base32 is upper case, but people may type lower case.
  if (!pending || !sameSecret(secret.toUpperCase(), keys.unseal(sealPurpose(account), pending))) {
    throw OtherSetupSecret({ errors: ['secret'] })
  }
  await proveFactor(services, account, pending, code, caller.ip)
  await act(services, { actor, caller }, async act => {
    const isOn = await turnTwoFactorOn(act.db, account, { secret: pending, now: act.now })
    if (!isOn) throw OtherSetupSecret()
    act.happened({ kind: 'two_factor.enabled', subject: subjectOf(actor) })
  })
}

/**
 * Turns the second factor off, given the password or a code, and deletes the recovery codes. Throws 400 for neither, `TwoFactorOff`,
 * `WrongPassword`, `WrongFactor`, and 429 after too many attempts.
 */
export async function disableTwoFactor(
  services: Services,
  session: Session,
  proof: PasswordOrCode,
  caller: Caller
): Promise<void> {
  const { actor } = session
  const { account, secret } = await provenFactor(services, session, proof, caller.ip)

  await act(services, { actor, caller }, async act => {
    if (!(await turnTwoFactorOff(act.db, account, { secret, now: act.now }))) throw TwoFactorOff()
    act.happened({ kind: 'two_factor.disabled', subject: subjectOf(actor) })
  })
}

/**
 * Creates new recovery codes, given the password or a code of the authenticator; the former ones become void. Throws as `disableTwoFactor`
 * does.
 */
export async function makeRecoveryCodes(
  services: Services,
  session: Session,
  proof: PasswordOrCode,
  caller: Caller
): Promise<string[]> {
  const { secret } = await provenFactor(services, session, proof, caller.ip)
  const codes = await replaceRecoveryCodes(services, session.actor, secret, caller)
  if (!codes) throw TwoFactorOff()
  return codes
}

/** If both are sent, either suffices. */
interface PasswordOrCode {
  password?: string
  code?: string
}

/** The account with its encrypted secret, after verifying the password or code. */
async function provenFactor(
  services: Services,
  { id: session, actor }: Session,
  { password, code }: PasswordOrCode,
  ip: string
): Promise<{ account: AnyAccount; secret: string }> {
  if (password === undefined && code === undefined) {
    throw MissingFields({ message: 'Missing required fields: password or code', errors: ['password', 'code'] })
  }
  const account = await accountOf(services, actor)
  if (!account.two_factor_enabled) throw TwoFactorOff()
  const secret = account.two_factor_secret!

  const caller = { ip, session }
  const isKnown = password !== undefined && (await knowsPassword(services, account, password, caller))
  if (!isKnown) {
    if (code === undefined) throw WrongPassword()
    await proveFactor(services, account, secret, code, ip)
  }
  return { account, secret }
}

function subjectOf({ population, id }: Actor) {
  return { type: population, id } as const
}
