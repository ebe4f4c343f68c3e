import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { transaction } from '../../core/db.ts'
import { refundAttempt } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import type { TokenPair } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import type { Caller } from '../../kit/caller.ts'
import { type Failure, failure } from '../../kit/errors.ts'
import { replaceStoredPassword } from './account-changes.ts'
import { type AccountOf, type AnyAccount, accountByEmail, accountById } from './accounts.ts'
import { issueChallenge } from './challenges.ts'
import { openSignIn } from './open-sign-in.ts'
import { requirePasswordAllowed } from './password-allowed.ts'
import { passwordAttempt, verifyPassword } from './prove-password.ts'
import { recordSignIn } from './record-sign-in.ts'
import { consumeFactor, submittedFactor } from './second-factor.ts'
import { type SignInFailure, withFailureCount } from './sign-in-failures.ts'
import { countFactorAttempt, WrongFactor, withWrongFactorWarning } from './wrong-factors.ts'

export const WrongCredentials = failure(401, 'invalid_credentials', 'Invalid e-mail or password')
export const AccountInactive = failure(403, 'account_inactive', 'This account is not active')

interface Credentials {
  email: string
  password: string
  /** Ignored while the account has no second factor. */
  two_factor_code?: string
  /** A refresh token of an earlier session of the account: it identifies a known device. */
  device_token?: string
}

/** Either a session, or a challenge that 2fa/verify-login exchanges for one. */
type Login<A> = { account: A; tokens: TokenPair } | { account: A; tokens?: undefined; tempToken: string }

/**
 * Logs a client or staff member in. Unknown addresses take as long as known ones, and are counted alike. Throws `WrongCredentials`,
 * `AccountInactive` (only with the right password), `WrongFactor`, and 429 after too many attempts.
 */
export async function logIn<P extends Population>(
  services: Services,
  population: P,
  { email, password, two_factor_code: code, device_token: deviceToken }: Credentials,
  caller: Caller
): Promise<Login<AccountOf[P]>> {
  const account = await accountByEmail(services.db, population, email)
  const staffEmail = population === 'staff' ? (account?.email ?? email) : undefined
  return await withFailureCount(services, staffEmail, caller, failureOf, async () => {
    const attempt = passwordAttempt(services, population, { email, ip: caller.ip, deviceToken }, account)
    const counted = await verifyPassword(services, attempt, account, password)
    if (!account || !counted) throw WrongCredentials()
    if (!account.is_active) throw AccountInactive()
    await requirePasswordAllowed(services, account)

    if (account.two_factor_enabled && code === undefined) {
      const tempToken = await issueChallenge(services, await withSlowHash(services, account, password))
      if (tempToken === undefined) throw WrongCredentials()
      await refundAttempt(services, counted)
      return { account, tempToken }
    }
    const { tokenDigests = [] } = attempt
    const tokens = account.two_factor_enabled
      ? await openWithFactor(services, account, { password, code: code!, tokenDigests }, caller)
      : await openAndRecord(services, await withSlowHash(services, account, password), tokenDigests, caller)
    if (!tokens) throw WrongCredentials()
    await refundAttempt(services, counted)
    return { account, tokens }
  })
}

function failureOf({ kind }: Failure): SignInFailure | undefined {
  if (kind === WrongCredentials) return 'password'
  if (kind === WrongFactor) return 'second-factor'
  return kind === AccountInactive ? 'inactive' : undefined
}

/** Of clients no event is recorded. */
async function openAndRecord(
  services: Services,
  account: AnyAccount,
  tokenDigests: readonly string[],
  caller: Caller
): Promise<TokenPair | undefined> {
  if (account.population === 'client') {
    return await transaction(services.db, db => openSignIn(services, db, account, caller, { tokenDigests }))
  }
  return await act(services, auditActorOfAccount(account, caller), async act => {
    const tokens = await openSignIn(services, act.db, account, caller, { tokenDigests })
    if (tokens) recordSignIn(act, account, undefined)
    return tokens
  })
}

async function openWithFactor(
  services: Services,
  account: AnyAccount,
  { password, code, tokenDigests }: { password: string; code: string; tokenDigests: readonly string[] },
  caller: Caller
): Promise<TokenPair> {
  const secret = account.two_factor_secret!
  const counted = await countFactorAttempt(services, account, caller.ip)
  const factor = await withWrongFactorWarning(services, account, async () =>
    submittedFactor(services, account, secret, code)
  )
  const current = await withSlowHash(services, account, password)

  const tokens = await withWrongFactorWarning(services, account, () =>
    act(services, auditActorOfAccount(account, caller), async act => {
      await consumeFactor(services, act.db, account, secret, factor)
      const tokens = await openSignIn(services, act.db, current, caller, { signedInBy: 'code', tokenDigests })
      if (!tokens) throw WrongCredentials()
      recordSignIn(act, account, factor)
      return tokens
    })
  )
  await refundAttempt(services, counted)
  return tokens
}

/** The account, after rehashing a password stored as a bare SHA-256 digest (decision 13). */
async function withSlowHash<A extends AnyAccount>(
  { db, passwords }: Services,
  account: A,
  password: string
): Promise<A> {
  if (!passwords.isBare(account.password)) return account
  const hashed = await passwords.hash(password)
  if (await replaceStoredPassword(db, account, { from: account.password, to: hashed })) {
    return { ...account, password: hashed }
  }
  // Another login has just rehashed it, or the password was changed.
  const current = await accountById(db, account)
  if (!current || !(await passwords.fits(password, current.password))) throw WrongCredentials()
  return { ...account, password: current.password }
}
