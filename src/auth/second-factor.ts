import { accountKey, countGuess, forgiveGuess, type Guess } from '../guessing/guesses.ts'
import { doerOfAccount } from '../history/doer.ts'
import { record } from '../history/record.ts'
import type { Caller } from '../kit/endpoint.ts'
import { failure } from '../kit/errors.ts'
import type { Db } from '../platform/db/open.ts'
import type { Services } from '../services.ts'
import type { Account } from '../sessions/sessions.ts'
import { takeStep } from './account-changes.ts'
import type { AnyAccount } from './accounts.ts'
import { readRecoveryCode, useRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'

export const WrongFactor = failure(401, 'Invalid 6-digit authenticator code')

/** Guesses at the second factor are counted by account, whatever token or session they come with. */
export function factorGuess({ population, id }: Account, ip: string): Guess {
  return { kind: 'factor', account: accountKey(population, id), ip }
}

/** What somebody shows at the login: the time step of an authenticator's code, or a recovery code in its place. */
export type ShownFactor = { step: number } | { recoveryCode: string }

/** What that code is to an account with that sealed secret. The guess must have been counted. Throws `WrongFactor`. */
export function shownFactor(
  services: Pick<Services, 'keys' | 'clock'>,
  account: Account,
  sealedSecret: string,
  code: string
): ShownFactor {
  const recoveryCode = readRecoveryCode(code)
  return recoveryCode ? { recoveryCode } : { step: judgedStep(services, account, sealedSecret, code) }
}

/**
 * Uses up what was shown, in the transaction `db` that opens the session: neither it nor an earlier step logs anybody in
 * again. Throws `WrongFactor` for a code that is none of the account's, and to all but the first of any number at once.
 */
export async function takeFactor(
  { keys, clock }: Pick<Services, 'keys' | 'clock'>,
  db: Db,
  account: Account,
  secret: string,
  factor: ShownFactor
): Promise<void> {
  const isTaken =
    'step' in factor
      ? await takeStep(db, account, { secret, step: factor.step })
      : await useRecoveryCode(keys, db, account, factor.recoveryCode, clock.now())
  if (!isTaken) throw WrongFactor()
}

/** Records that a recovery code was used; a login with an authenticator is nothing to speak of. Last in the transaction. */
export async function recordFactor(
  services: Services,
  db: Db,
  account: AnyAccount,
  factor: ShownFactor,
  caller: Caller
): Promise<void> {
  if ('step' in factor) return
  await record(services, db, doerOfAccount(account, caller), {
    action: 'recovery_code.used',
    target: { type: account.population, id: account.id }
  })
}

/** Counts and judges a code that proves somebody at hand, but logs nobody in: a step may have been used. */
export async function proveFactor(
  services: Services,
  account: Account,
  sealedSecret: string,
  code: string,
  ip: string
): Promise<void> {
  const guess = factorGuess(account, ip)
  const counted = await countGuess(services, guess)
  judgedStep(services, account, sealedSecret, code)
  await forgiveGuess(services, counted)
}

/** Binds a sealed secret to its account, so that it opens in no other row. */
export function sealPurpose({ population, id }: Account): string {
  return `two-factor ${population} ${id}`
}

function judgedStep(
  { keys, clock }: Pick<Services, 'keys' | 'clock'>,
  account: Account,
  sealedSecret: string,
  code: string
): number {
  const step = stepOfCode(keys.unseal(sealPurpose(account), sealedSecret), code, clock.now())
  if (step === undefined) throw WrongFactor()
  return step
}
