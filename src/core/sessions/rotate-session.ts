import { type SqlBool, sql } from 'kysely'
import { secondsAfter } from '../../lib/time.ts'
import { type Db, transaction } from '../db.ts'
import { refreshStutterSeconds, refreshTokenSeconds } from '../limits.ts'
import type { Population } from '../tables/columns.ts'
import {
  type Account,
  type Device,
  earlierOf,
  endSession,
  newRefreshToken,
  recorded,
  type SessionServices,
  type TokenPair,
  tokenPair
} from './sessions.ts'

/** The purpose for deriving the next refresh token of a cookie from the one before. */
const successor = 'refresh-successor'

/** A new token pair for a session, and its account. */
export interface Rotated {
  account: Account
  tokens: TokenPair
}

/**
 * Exchanges a refresh token for a new pair. Of concurrent exchanges exactly one succeeds; the others get undefined. A token that is used
 * again more than 30 s after its rotation ends its session (decision 18). `inCookie`: a browser keeps the token, and may lose the response
 * with a page that is left, or send the token from two windows at once. Within these 30 s such an exchange gets the same token again: it is
 * derived from the former one and our key.
 */
export async function rotateSession(
  { db, keys, realClock }: SessionServices,
  refreshToken: string,
  device: Device,
  { inCookie = false }: { inCookie?: boolean } = {}
): Promise<Rotated | undefined> {
  const now = realClock.now()
  const digests = keys.digests('refresh', refreshToken)
  const fresh = inCookie ? keys.digest(successor, refreshToken) : newRefreshToken()

  const rotated = await transaction(db, async db => {
    const used = await db
      .updateTable('refresh_tokens')
      .set({ is_revoked: true, revoked_at: now, updated_at: now })
      .where('token', 'in', digests)
      .where('is_revoked', '=', false)
      .where('expires_at', '>', now)
      .where(accountIsIn)
      .returning(['session_id', 'user_id', 'user_type'])
      .returning(endOfSession.as('ends_at'))
      .executeTakeFirst()
    if (!used) return undefined
    const { ends_at, ...owner } = used
    const { userAgent: user_agent, ip: ip_address } = recorded(device)
    await db
      .insertInto('refresh_tokens')
      .values({
        ...owner,
        token: keys.digest('refresh', fresh),
        expires_at: earlierOf(secondsAfter(now, refreshTokenSeconds), ends_at),
        created_at: now,
        updated_at: now,
        user_agent,
        ip_address
      })
      .execute()
    return used
  })
  if (rotated) return rotatedPair(keys, now, rotated, fresh)
  const again = inCookie ? await rotatedJustNow({ db, keys }, refreshToken, now) : undefined
  if (again) return rotatedPair(keys, now, again, again.refreshToken)
  await endStolenSession(db, digests, now)
  return undefined
}

interface TokenOwner {
  session_id: number
  user_id: number
  user_type: Population
  ends_at: Date | null
}

function rotatedPair(keys: SessionServices['keys'], now: Date, owner: TokenOwner, refreshToken: string): Rotated {
  const account = { population: owner.user_type, id: owner.user_id }
  return {
    account,
    tokens: tokenPair(keys, now, { ...account, sessionId: owner.session_id, endsAt: owner.ends_at }, refreshToken)
  }
}

/** The token for which this one was exchanged a moment ago, unless that one was exchanged too. */
async function rotatedJustNow(
  { db, keys }: Pick<SessionServices, 'db' | 'keys'>,
  refreshToken: string,
  now: Date
): Promise<(TokenOwner & { refreshToken: string }) | undefined> {
  const candidates = keys.digests(successor, refreshToken)
  const digests = candidates.map(candidate => keys.digests('refresh', candidate))
  const next = await db
    .selectFrom('refresh_tokens')
    .where('token', 'in', digests.flat())
    .where('is_revoked', '=', false)
    .where('expires_at', '>', now)
    .where('created_at', '>=', secondsAfter(now, -refreshStutterSeconds))
    .where(accountIsIn)
    .select(['token', 'session_id', 'user_id', 'user_type'])
    .select(endOfSession.as('ends_at'))
    .executeTakeFirst()
  return next && { ...next, refreshToken: candidates[digests.findIndex(each => each.includes(next.token))]! }
}

async function endStolenSession(db: Db, digests: string[], now: Date): Promise<void> {
  const stolen = await db
    .selectFrom('refresh_tokens')
    .where('token', 'in', digests)
    .where('revoked_at', '<', secondsAfter(now, -refreshStutterSeconds))
    .select('session_id')
    .executeTakeFirst()
  if (stolen) await endSession(db, stolen.session_id, now)
}

/** Within a query on `refresh_tokens`: when the session ends, however often it is renewed. */
const endOfSession = sql<Date | null>`(select ends_at from sessions where sessions.id = refresh_tokens.session_id)`

/** The token's session is open and its account is active. */
const accountIsIn = sql<SqlBool>`exists (
  select from sessions
  left join clients on clients.id = sessions.client_id
  left join staff on staff.id = sessions.staff_id
  where sessions.id = refresh_tokens.session_id and sessions.ended_at is null
    and coalesce(clients.is_active, staff.is_active))`
