import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { newApiToken } from '../../core/api-tokens/secret.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { tokenView, tokenWithId } from './api-tokens.ts'
import { insertSession, lockTokensOf, maxTokens, TooManyTokens } from './create-token.ts'
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
 * Makes another secret for an API token of `owner`: a token of the same name, rights and departments, that lives as long as the former was given.
 * The former works for a day more, if it does not end before. Throws `TokenNotFound`, `TokenReplaced`,
 * `TooManyTokens`, `StaffTokensOff`.
 */
export async function replaceToken(
  services: Services,
  { actor, caller }: { actor: Actor; caller: Caller },
  owner: Owner,
  former: number
) {
  const { keys, realClock } = services
  const token = newApiToken()
  const longestDays = await longestLifeOf(services.db, actor, owner)

  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const now = realClock.now()
    const all = await lockTokensOf(db, owner)
    const replaced = all.find(({ id }) => id === former)
    if (!replaced) throw TokenNotFound()
    if (replaced.replaced_by) throw TokenReplaced()
    // Each of them once more, beside its successor.
    if (all.length >= 2 * maxTokens) throw TooManyTokens()
    const [session] = await insertSession(db, { population: owner.population, owner: owner.id, now })
    const id = session!.id
    const by = owner.population === actor.population && owner.id === actor.id ? null : actor.id
    const secret = { digest: keys.digest('api-token', token), last_four: token.slice(-4) }
    const latest = longestDays === null ? null : secondsAfter(now, longestDays * 86_400)
    await insertSuccessor(db, { id, former, ...secret, by, now, latest })
    await fade(db, { id: former, successor: id, until: secondsAfter(now, bothWorkSeconds) })
    const view = tokenView(await tokenWithId(db, id))
    act.happened({
      kind: 'api_token.replaced',
      subject: { type: owner.population, id: owner.id },
      before: { token_id: former, name: replaced.name },
      after: { token_id: id, name: view.name, expires_at: view.expires_at }
    })
    return { token, api_token: view }
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

interface Successor {
  id: number
  former: number
  digest: string
  last_four: string
  by: number | null
  now: Date
  /** It ends by then, whatever the former was made for. */
  latest: Date | null
}

const insertSuccessor = prepared((db, p: Successor) =>
  db
    .insertInto('api_tokens')
    .columns([
      'id',
      'digest',
      'last_four',
      'created_by',
      'name',
      'permissions',
      'departments',
      'addresses',
      'is_read_only',
      'expires_at'
    ])
    .expression(db =>
      db
        .selectFrom('api_tokens as former')
        .innerJoin('sessions', 'sessions.id', 'former.id')
        .where('former.id', '=', p.former)
        .select([
          sql<number>`${p.id}::bigint`.as('id'),
          sql<string>`${p.digest}::text`.as('digest'),
          sql<string>`${p.last_four}::text`.as('last_four'),
          sql<number | null>`${p.by}::bigint`.as('created_by'),
          'former.name',
          'former.permissions',
          'former.departments',
          'former.addresses',
          'former.is_read_only',
          sql<Date | null>`least(${p.now}::timestamptz + (former.expires_at - sessions.created_at), ${p.latest}::timestamptz)`.as(
            'expires_at'
          )
        ])
    )
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
