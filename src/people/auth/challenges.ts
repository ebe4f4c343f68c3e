import { type SqlBool, sql } from 'kysely'
import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { challengeSeconds, maxChallengeAttempts } from '../../core/limits.ts'
import { refundAttempt } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import type { Account, TokenPair } from '../../core/sessions/sessions.ts'
import type { Population } from '../../core/tables/columns.ts'
import type { Caller } from '../../kit/caller.ts'
import { type Failure, failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { type AnyAccount, accountById } from './accounts.ts'
import { openSignIn } from './open-sign-in.ts'
import { openProviderSession } from './provider-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { consumeFactor, submittedFactor } from './second-factor.ts'
import { type SignInFailure, withFailureCount } from './sign-in-failures.ts'
import { countFactorAttempt, WrongFactor, withWrongFactorWarning } from './wrong-factors.ts'

export const ChallengeExpired = failure(401, 'two_factor_challenge_expired', 'Invalid or expired 2FA session')

/**
 * A `temp_token` for somebody who has given the password and still needs the second factor: valid for 5 minutes, once, and for at most 5
 * wrong codes (decision 16). Undefined if the password has changed since the caller read it.
 */
export async function issueChallenge(
  { db, keys, realClock }: Pick<Services, 'db' | 'keys' | 'realClock'>,
  { population, id, password, provider = null }: Account & { password: string; provider?: number | null }
): Promise<string | undefined> {
  const now = realClock.now()
  const insert = population === 'client' ? insertClientChallenge : insertStaffChallenge
  const [challenge] = await insert(db, { id, password, provider, now, expiresAt: secondsAfter(now, challengeSeconds) })
  return challenge && keys.sign('challenge', { challenge: challenge.id }, now, challengeSeconds)
}

/**
 * Exchanges a `temp_token` and a code for a session. The challenge stores the password hash under which it was issued: a reset in between
 * ends it. Throws `ChallengeExpired`, `WrongFactor`, and 429 after too many attempts.
 */
export async function completeChallenge(
  services: Services,
  tempToken: string,
  code: string,
  caller: Caller
): Promise<{ account: AnyAccount; tokens: TokenPair }> {
  const { db, keys, realClock } = services
  const now = realClock.now()
  const claims = keys.verify('challenge', tempToken, now)
  const [challenge] = claims ? await openChallenge(db, { id: claims.challenge, now }) : []
  const account = challenge && (await accountById(db, { population: challenge.user_type, id: challenge.user_id }))
  if (!account?.is_active || !account.two_factor_enabled || account.password !== challenge?.password) {
    throw ChallengeExpired()
  }

  const staffEmail = account.population === 'staff' ? account.email : undefined
  const tokens = await withFailureCount(services, staffEmail, caller, failureOf, () =>
    openWithChallenge(services, account, challenge, code, caller)
  )
  return { account, tokens }
}

async function openWithChallenge(
  services: Services,
  account: AnyAccount,
  { id, provider_id: provider }: { id: number; provider_id: number | null },
  code: string,
  caller: Caller
): Promise<TokenPair> {
  const { db, realClock } = services
  const now = realClock.now()
  const secret = account.two_factor_secret!
  const counted = await countFactorAttempt(services, account, caller.ip)
  if ((await countAttempt(db, { id, now })).length === 0) throw ChallengeExpired()

  const tokens = await withWrongFactorWarning(services, account, async () => {
    const factor = submittedFactor(services, account, secret, code)
    return await act(services, auditActorOfAccount(account, caller), async act => {
      // A code of an authenticator locks the account first, in the same order as deleting it does.
      await consumeFactor(services, act.db, account, secret, factor)
      if ((await consumeChallenge(act.db, { id, now })).length === 0) throw ChallengeExpired()
      const tokens =
        provider === null
          ? await openSignIn(services, act.db, account, caller, { signedInBy: 'code' })
          : await openProviderSession(services, act.db, account, caller)
      if (!tokens) throw ChallengeExpired()
      recordSignIn(act, account, factor)
      return tokens
    })
  })
  await refundAttempt(services, counted)
  return tokens
}

function failureOf({ kind }: Failure): SignInFailure | undefined {
  return kind === WrongFactor ? 'second-factor' : undefined
}

interface NewChallenge {
  id: number
  password: string
  /** Of the identity provider that has sent them, in place of a password. */
  provider: number | null
  now: Date
  expiresAt: Date
}

const insertClientChallenge = prepared((db, p: NewChallenge) => insertStatement(db, 'client', p))
const insertStaffChallenge = prepared((db, p: NewChallenge) => insertStatement(db, 'staff', p))

/** Inserts a challenge if the account still has that password, which cannot change until the statement ends. */
function insertStatement(db: Db, population: Population, p: NewChallenge) {
  return db
    .insertInto('login_challenges')
    .columns(['user_type', 'user_id', 'password', 'provider_id', 'expires_at', 'created_at'])
    .expression(db =>
      db
        .selectFrom(population === 'client' ? 'clients' : 'staff')
        .where('id', '=', p.id)
        .where('password', '=', p.password)
        .forShare()
        .select([
          sql.lit(population).as('user_type'),
          'id as user_id',
          'password',
          sql<number | null>`${p.provider}::bigint`.as('provider_id'),
          sql<Date>`${p.expiresAt}::timestamptz`.as('expires_at'),
          sql<Date>`${p.now}::timestamptz`.as('created_at')
        ])
    )
    .returning('id')
}

interface AtNow {
  id: number
  now: Date
}

const openChallenge = prepared((db, p: AtNow) =>
  db
    .selectFrom('login_challenges')
    .where('id', '=', p.id)
    .where(isOpen(p.now))
    .where(isSenderTrusted)
    .select(['id', 'user_type', 'user_id', 'password', 'provider_id'])
)

/** The identity provider that has sent them is turned on, and they are connected there still. */
const isSenderTrusted = sql<SqlBool>`(provider_id is null or exists (
  select from sso_identities as identity join sso_providers as provider on provider.id = identity.provider_id
  where provider.id = login_challenges.provider_id and provider.is_active
    and (identity.user_type, identity.user_id) = (login_challenges.user_type, login_challenges.user_id)))`

/** Counted before the code is verified, in the statement that checks for attempts left. */
const countAttempt = prepared((db, p: AtNow) =>
  db
    .updateTable('login_challenges')
    .set({ attempts: sql`attempts + 1` })
    .where('id', '=', p.id)
    .where(isOpen(p.now))
    .returning('id')
)

const consumeChallenge = prepared((db, p: AtNow) =>
  db
    .updateTable('login_challenges')
    .set({ used_at: p.now })
    .where('id', '=', p.id)
    .where('used_at', 'is', null)
    .returning('id')
)

function isOpen(now: Date) {
  return sql<SqlBool>`used_at is null and expires_at > ${now} and attempts < ${sql.lit(maxChallengeAttempts)}`
}
