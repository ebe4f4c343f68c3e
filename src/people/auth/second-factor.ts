import type { Db } from '../../core/db.ts'
import { refundAttempt } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import { consumeStep } from './account-changes.ts'
import { readRecoveryCode, useRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'
import { countFactorAttempt, WrongFactor } from './wrong-factors.ts'

/** The second factor given at login: the time step of an authenticator's code, or a recovery code. */
export type SubmittedFactor = { step: number } | { recoveryCode: string }

/** Reads a recovery code, or verifies a code of the authenticator with that secret. Count the attempt first. Throws `WrongFactor`. */
export function submittedFactor(
  services: Pick<Services, 'keys' | 'realClock'>,
  account: Account,
  sealedSecret: string,
  code: string
): SubmittedFactor {
  const recoveryCode = readRecoveryCode(code)
  return recoveryCode ? { recoveryCode } : { step: verifiedStep(services, account, sealedSecret, code) }
}

/**
 * Consumes the given factor in the transaction `db` that opens the session: neither it nor an earlier step works for another login. Throws
 * `WrongFactor` for a code that is not the account's, and for all but the first of concurrent uses.
 */
export async function consumeFactor(
  { keys, realClock }: Pick<Services, 'keys' | 'realClock'>,
  db: Db,
  account: Account,
  secret: string,
  factor: SubmittedFactor
): Promise<void> {
  const isTaken =
    'step' in factor
      ? await consumeStep(db, account, { secret, step: factor.step })
      : await useRecoveryCode(keys, db, account, factor.recoveryCode, realClock.now())
  if (!isTaken) throw WrongFactor()
}

/** Counts and verifies a code that confirms the caller but opens no session: a used step is accepted. */
export async function proveFactor(
  services: Services,
  account: Account,
  sealedSecret: string,
  code: string,
  ip: string
): Promise<void> {
  const counted = await countFactorAttempt(services, account, ip)
  verifiedStep(services, account, sealedSecret, code)
  await refundAttempt(services, counted)
}

/** Binds an encrypted secret to its account, so that it cannot be decrypted in another row. */
export function sealPurpose({ population, id }: Account): string {
  return `two-factor ${population} ${id}`
}

function verifiedStep(
  { keys, realClock }: Pick<Services, 'keys' | 'realClock'>,
  account: Account,
  sealedSecret: string,
  code: string
): number {
  const step = stepOfCode(keys.unseal(sealPurpose(account), sealedSecret), code, realClock.now())
  if (step === undefined) throw WrongFactor()
  return step
}
