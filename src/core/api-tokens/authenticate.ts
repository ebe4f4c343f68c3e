import { sql } from 'kysely'
import { failure } from '../../kit/errors.ts'
import { coarseNetworkOf } from '../../lib/network.ts'
import { isInNetworks } from '../../lib/networks.ts'
import { dateOf } from '../../lib/time.ts'
import { poolOf } from '../../platform/db/outer-transaction.ts'
import type { Actor, Session } from '../actor.ts'
import { prepared } from '../db.ts'
import { countApiToken } from '../rate-limits/use-limits.ts'
import type { Services } from '../services.ts'
import { actorOfSession, bearerOf, sessionOf } from '../sessions/session-of.ts'
import type { Population } from '../tables/columns.ts'
import { isApiToken, isWellFormed } from './secret.ts'

type Needed = Pick<Services, 'config' | 'db' | 'keys' | 'log' | 'metrics' | 'realClock'>

export const AddressNotAllowed = failure(403, 'address_not_allowed', 'This API token may not be used from your address')

/** Who sends a request; for an API token, the headers that tell what is left of its own limit. */
export interface Authenticated extends Session {
  headers?: Readonly<Record<string, string>>
}

/**
 * The session and actor of this `Authorization` header: an access token, or an API token that has neither ended nor expired. Throws 429 for an
 * API token that has used up its limit, and `AddressNotAllowed`; `known` hears of the actor before.
 */
export async function authenticate(
  services: Needed,
  authorization: string | undefined,
  ip: string,
  known?: (actor: Actor) => void
): Promise<Authenticated | undefined> {
  const token = bearerOf(authorization)
  if (token === undefined || !isApiToken(token)) {
    const session = await sessionOf(services, authorization)
    if (session) known?.(session.actor)
    return session
  }
  if (!isWellFormed(token)) return undefined

  const { db, keys, realClock } = services
  const now = realClock.now()
  const [found] = await tokenOf(db, { digests: keys.digests('api-token', token) })
  if (!found || (found.expires_at && found.expires_at <= now)) return undefined
  const actor = await actorOfSession(db, { population: found.population, session: found.id, account: found.account })
  if (!actor) return undefined
  known?.(actor)
  if (found.addresses && !isInNetworks(ip, found.addresses)) throw AddressNotAllowed()

  const headers = countApiToken(services, found.id)
  const use = { day: dateOf(now), network: coarseNetworkOf(ip), digest: keys.digest('api-token', token) }
  if (use.day !== found.day || use.network !== found.network || use.digest !== found.digest) {
    // A database that only reads cannot note it, and no request fails for that.
    await noteUse(poolOf(db), { id: found.id, ...use }).catch(error =>
      services.log.warn({ err: error }, 'The use of an API token could not be noted')
    )
  }
  return { id: found.id, actor, expiresAt: found.expires_at ?? undefined, headers }
}

const tokenOf = prepared((db, p: { digests: string[] }) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('sessions', 'sessions.id', 'api_tokens.id')
    .where('api_tokens.digest', '=', sql<string>`any(${p.digests}::text[])`)
    .where('sessions.ended_at', 'is', null)
    .select(['api_tokens.id', 'api_tokens.digest', 'api_tokens.expires_at', 'last_used_network as network'])
    .select('api_tokens.addresses')
    .select([
      sql<Population>`sessions.user_type`.as('population'),
      'sessions.user_id as account',
      sql<string | null>`last_used_on::text`.as('day')
    ])
)

/** The last use, by day and network; under a former application secret, the digest is replaced as well. */
const noteUse = prepared((db, p: { id: number; day: string; network: string; digest: string }) =>
  db
    .updateTable('api_tokens')
    .set({ last_used_on: sql<string>`${p.day}::date`, last_used_network: p.network, digest: p.digest })
    .where('id', '=', p.id)
)
