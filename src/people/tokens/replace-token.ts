import { sql } from 'kysely'
import { type Actor, accountName } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { lockTokensOf, maxTokens, storeToken, TooManyTokens } from './create-token.ts'
import { TokenNotFound } from './revoke-token.ts'
import { longestLifeOf } from './token-policy.ts'

export const TokenReplaced = failure(
  409,
  'token_replaced',
  'This API token was replaced already: replace its successor'
)

/** So long a program has to take up the new secret. */
const bothWorkSeconds = 86_400

type Owner = Pick<Actor, 'population' | 'id'>

/**
 * Makes another secret for an API token of `owner`: a token of the same name and rights, that lives as long as the former was made for. The former works
 * for a day more, if it does not end before. Throws `TokenNotFound`, `TokenReplaced`, `TooManyTokens`, `StaffTokensOff`.
 */
export async function replaceToken(
  services: Services,
  { actor, caller }: { actor: Actor; caller: Caller },
  owner: Owner,
  id: number
) {
  const longestDays = await longestLifeOf(services.db, actor, owner)
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const now = services.realClock.now()
    const all = await lockTokensOf(db, owner)
    if (!all.some(token => token.id === id)) throw TokenNotFound()
    const [former] = await tokenWith(db, { id })
    const { replaced_by, created_at, expires_at, ...kept } = former!
    if (replaced_by) throw TokenReplaced()
    // Each of them once more, beside its successor.
    if (all.length >= 2 * maxTokens) throw TooManyTokens()
    const life = expires_at && (expires_at.getTime() - created_at.getTime()) / 1000
    const seconds = Math.min(life ?? Infinity, longestDays === null ? Infinity : longestDays * 86_400)
    const made = await storeToken(services, db, owner, {
      ...kept,
      expires_at: Number.isFinite(seconds) ? secondsAfter(now, seconds) : null,
      created_by: accountName(owner) === accountName(actor) ? null : actor.id
    })
    const { id: successor, name, expires_at: end } = made.api_token
    await fade(db, { id, successor, until: secondsAfter(now, bothWorkSeconds) })
    act.happened({
      kind: 'api_token.replaced',
      subject: { type: owner.population, id: owner.id },
      before: { token_id: id, name },
      after: { token_id: successor, name, expires_at: end }
    })
    return made
  })
}

/** The service account whose token this is. Throws `TokenNotFound`, also for one of a person: nobody else has its secret. */
export async function serviceOwnerOf(db: Db, id: number): Promise<Owner> {
  const [owner] = await serviceOwner(db, { id })
  if (!owner) throw TokenNotFound()
  return { population: 'staff', id: owner.id }
}

const serviceOwner = prepared((db, p: { id: number }) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('sessions', 'sessions.id', 'api_tokens.id')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .where('api_tokens.id', '=', p.id)
    .where('sessions.ended_at', 'is', null)
    .where('staff.is_service_account', '=', true)
    .select('staff.id')
)

const tokenWith = prepared((db, p: { id: number }) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('sessions', 'sessions.id', 'api_tokens.id')
    .where('api_tokens.id', '=', p.id)
    .select(['name', 'departments', 'addresses', 'is_read_only'])
    .select(sql<Permission[] | null>`permissions`.as('permissions'))
    .select(['replaced_by', 'expires_at', 'sessions.created_at'])
)

/** Nobody is told of the end that is its replacement's. */
const fade = prepared((db, p: { id: number; successor: number; until: Date }) =>
  db
    .updateTable('api_tokens')
    .where('id', '=', p.id)
    .set({
      replaced_by: p.successor,
      is_end_told: true,
      expires_at: sql<Date>`least(expires_at, ${p.until}::timestamptz)`
    })
)
