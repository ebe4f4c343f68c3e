import type { Db } from '../db.ts'
import { forgiveAttempt } from '../rate-limits/attempts.ts'
import type { Services } from '../services.ts'
import type { Account } from '../sessions/sessions.ts'
import { takeStep } from './account-changes.ts'
import { readRecoveryCode, useRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'
import { countFactorAttempt, WrongFactor } from './wrong-factors.ts'

/** What somebody shows at the login: the time step of an authenticator's code, or a recovery code in its place. */
export type ShownFactor = { step: number } | { recoveryCode: string }

/** What that code is to an account with that sealed secret. The attempt must have been counted. Throws `WrongFactor`. */
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

/** Counts and judges a code that proves somebody at hand, but logs nobody in: a step may have been used. */
export async function proveFactor(
  services: Services,
  account: Account,
  sealedSecret: string,
  code: string,
  ip: string
): Promise<void> {
  const counted = await countFactorAttempt(services, account, ip)
  judgedStep(services, account, sealedSecret, code)
  await forgiveAttempt(services, counted)
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
