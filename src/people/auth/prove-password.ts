import {
  accountKey,
  accountOfKey,
  countAttempt,
  isOriginTrusted,
  type LimitedAttempt
} from '../../core/rate-limits/attempts.ts'
import { type Counted, refundAttempt } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import type { Account } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import { failure, Unauthenticated } from '../../kit/errors.ts'
import { widestNetworkOf } from '../../lib/network.ts'
import { poolOf } from '../../platform/db/outer-transaction.ts'
import { type AnyAccount, accountById } from './accounts.ts'

export const WrongPassword = failure(401, 'wrong_password', 'Invalid password')

/** The actor's whole account. Throws `Unauthenticated` if it was deleted after the token was checked. */
export async function accountOf({ db }: Pick<Services, 'db'>, actor: Account): Promise<AnyAccount> {
  const account = await accountById(db, actor)
  if (!account) throw Unauthenticated({ headers: { 'www-authenticate': 'Bearer' } })
  return account
}

/**
 * Whether a logged-in caller knows the account's password; attempts are counted for their session only, so that nobody else can lock them
 * out. Throws 429 after too many.
 */
export async function knowsPassword(
  services: Services,
  account: AnyAccount,
  password: string,
  { ip, session }: { ip: string; session: number }
): Promise<boolean> {
  const attempt = { kind: 'password', account: accountKey(account.population, account.email), ip, session } as const
  const counted = await verifyPassword(services, attempt, account, password)
  if (counted) await refundAttempt(services, counted)
  return counted !== undefined
}

/** An attempt at a login password, counted by e-mail address, whether or not there is such an account. */
export function passwordAttempt(
  { keys }: Pick<Services, 'keys'>,
  population: Population,
  { email, ip, deviceToken }: { email: string; ip: string; deviceToken?: string },
  owner: AnyAccount | undefined
): LimitedAttempt {
  const tokenDigests = deviceToken === undefined ? [] : keys.digests('refresh', deviceToken)
  // The address as stored, so that different spellings are counted together.
  return { kind: 'password', account: accountKey(population, owner?.email ?? email), ip, owner, tokenDigests }
}

/**
 * Counts an attempt at a password and verifies it, in a turn by which strangers cannot keep the owner waiting: returns the count, to be forgiven, if it is right, otherwise undefined. The owner is
 * notified by e-mail when the attempts are used up. Throws 429 after too many.
 */
export async function verifyPassword(
  services: Services,
  attempt: LimitedAttempt,
  account: Pick<AnyAccount, 'password'> | undefined,
  password: string
): Promise<Counted | undefined> {
  let counted: Counted | undefined
  const turn = {
    lane: (await isOriginTrusted(services, attempt)) ? 'known' : accountOfKey(attempt.account).population,
    group: widestNetworkOf(attempt.ip ?? '')
  } as const
  const count = async () => {
    counted = await countAttempt(services, attempt)
  }
  const fits = await services.passwords.fits(password, account?.password, { turn, count })
  if (fits) return counted
  // The job looks up whether there is such an account: doing it here would show in the response time.
  if (counted?.exhausted.includes('password')) {
    await services.jobs.send(poolOf(services.db), 'warn-of-attempts', { account: attempt.account })
  }
  return undefined
}
