import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Population } from '../../core/tables/columns.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'

/** The same error for somebody else's token, a revoked one and none at all. */
export const TokenNotFound = failure(404, 'token_not_found', 'There is no such API token')

/** Revokes one of the caller's own tokens, or, with `ofAnybody`, any: it ends at once. Throws `TokenNotFound`. */
export async function revokeToken(
  services: ActServices & Pick<Services, 'realClock'>,
  { actor, caller, ofAnybody = false }: { actor: Actor; caller: Caller; ofAnybody?: boolean },
  id: number
): Promise<void> {
  const own = ofAnybody ? { population: null, owner: null } : { population: actor.population, owner: actor.id }
  await act(services, { actor, caller }, async act => {
    const [revoked] = await revoke(act.db, { id, ...own, now: services.realClock.now() })
    if (!revoked) throw TokenNotFound()
    const { user_type: type, user_id, name } = revoked
    act.happened({ kind: 'api_token.revoked', subject: { type, id: user_id }, before: { token_id: id, name } })
  })
}

const revoke = prepared((db, p: { id: number; population: Population | null; owner: number | null; now: Date }) =>
  db
    .updateTable('sessions')
    .from('api_tokens')
    .whereRef('api_tokens.id', '=', 'sessions.id')
    .where('sessions.id', '=', p.id)
    .where('sessions.ended_at', 'is', null)
    .where(
      sql<boolean>`(${p.population}::text is null or (sessions.user_type, sessions.user_id) = (${p.population}::text, ${p.owner}::bigint))`
    )
    .set({ ended_at: p.now })
    .returning(['sessions.user_type', 'sessions.user_id', 'api_tokens.name'])
)
