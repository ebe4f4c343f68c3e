import { accountKey, countGuess, forgiveGuess, type Guess } from '../guessing/guesses.ts'
import { failure } from '../kit/errors.ts'
import type { Services } from '../services.ts'
import type { Account } from '../sessions/sessions.ts'
import { stepOfCode } from './totp.ts'

export const WrongFactor = failure(401, 'Invalid 6-digit authenticator code')

/** Guesses at the second factor are counted by account, whatever token or session they come with. */
export function factorGuess({ population, id }: Account, ip: string): Guess {
  return { kind: 'factor', account: accountKey(population, id), ip }
}

/** The time step of a code of that sealed secret. The guess must have been counted. Throws `WrongFactor`. */
export function judgedStep(
  { keys, clock }: Pick<Services, 'keys' | 'clock'>,
  account: Account,
  sealedSecret: string,
  code: string
): number {
  const step = stepOfCode(keys.unseal(sealPurpose(account), sealedSecret), code, clock.now())
  if (step === undefined) throw WrongFactor()
  return step
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
  await countGuess(services, guess)
  judgedStep(services, account, sealedSecret, code)
  await forgiveGuess(services, guess)
}

/** Binds a sealed secret to its account, so that it opens in no other row. */
export function sealPurpose({ population, id }: Account): string {
  return `two-factor ${population} ${id}`
}
