import { transaction } from '../../core/db.ts'
import { accountKey, limitsFor } from '../../core/rate-limits/attempts.ts'
import { type Counted, countAll, isWithin } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import { Failure, failure } from '../../kit/errors.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { type AnyAccount, recipientOf } from './accounts.ts'

export const WrongFactor = failure(401, 'wrong_two_factor_code', 'Invalid 6-digit authenticator code')

const daySeconds = 86_400
/** Wrong codes after a right password beyond which it is unlikely to be a typing error. */
const wrongFactorsBeforeWarning = 6

/**
 * Counts an attempt at the second factor before it is verified, per account, whatever token or session it uses: in the window of all
 * attempts, and per day, so that somebody who has the password cannot succeed by patience. Throws 429.
 */
export async function countFactorAttempt(services: Services, account: Account, ip: string): Promise<Counted> {
  const attempt = { kind: 'factor', account: accountKey(account.population, account.id), ip } as const
  const ofDay = {
    key: `${keyOf(account)} day`,
    kind: 'factor',
    most: services.config.MAX_WRONG_FACTORS_PER_DAY,
    seconds: daySeconds
  }
  return await countAll(services, [...limitsFor(services.config, attempt), ofDay])
}

/**
 * Verifies a second factor after a right password. Wrong ones are counted, and the owner is notified of several by e-mail, at most once a
 * day.
 */
export async function withWrongFactorWarning<T>(
  services: Services,
  account: AnyAccount,
  judge: () => Promise<T>
): Promise<T> {
  try {
    return await judge()
  } catch (error) {
    if (error instanceof Failure && error.kind === WrongFactor) await warnOfWrongFactors(services, account)
    throw error
  }
}

async function warnOfWrongFactors(services: Services, account: AnyAccount): Promise<void> {
  const limit = { kind: 'factor', seconds: daySeconds }
  const wrong = { ...limit, key: `${keyOf(account)} wrong`, most: wrongFactorsBeforeWarning - 1 }
  if (await isWithin(services, wrong)) return
  await transaction(services.db, async db => {
    // Counted in the transaction, so that an e-mail that could not be queued is retried.
    if (!(await isWithin({ ...services, db }, { ...limit, key: `${keyOf(account)} warned`, most: 1 }))) return
    await addToOutbox(services, db, {
      kind: 'wrong-factors',
      channel: 'mail',
      recipient: await recipientOf(db, account),
      ...(account.population === 'client' ? { clientId: account.id } : {}),
      reader: account,
      email: { template: 'wrong-factors', values: {} }
    })
  })
}

/** Keys that add a suffix after a space are deleted with the account, and with its attempts at the second factor. */
function keyOf({ population, id }: Account): string {
  return `factor:${accountKey(population, id)}`
}
