import { sql } from 'kysely'
import type { Page } from '../../lib/page.ts'
import { type Db, prepared } from '../db.ts'
import type { Population } from '../tables/columns.ts'
import type { waysIn } from '../tables/sessions.ts'
import type { Account } from './sessions.ts'

/** An open session. Address and time of its last use are those of its last login or token refresh. */
export interface ActiveSession {
  id: number
  created_at: Date
  last_used_at: Date
  user_agent: string | null
  ip_address: string | null
  signed_in_by: (typeof waysIn)[number]
}

/** The account's sessions whose tokens still work or can be refreshed, last used first, and their number. */
export async function activeSessions(
  db: Db,
  { population, id }: Account,
  now: Date,
  { limit, offset }: Page
): Promise<{ sessions: ActiveSession[]; total: number }> {
  const [sessions, [counted]] = await Promise.all([
    listed[population](db, { id, now, limit, offset }),
    counts[population](db, { id, now })
  ])
  return { sessions, total: counted!.total }
}

/** Ends one of the account's own sessions, which no API token is; false if it has no such open session. */
export async function endOwnSession(db: Db, account: Account, sessionId: number, now: Date): Promise<boolean> {
  const [ended] = await endOne[account.population](db, { account: account.id, session: sessionId, now })
  if (ended) await revokeTokens(db, { session: sessionId, now })
  return ended !== undefined
}

interface Listed {
  id: number
  now: Date
  limit: number
  offset: number
}

const listed = ofBoth(population =>
  prepared((db, p: Listed) =>
    active(db, population, p)
      .select([
        'sessions.id',
        'sessions.created_at',
        // What has refresh tokens is not the session of an API token.
        sql<(typeof waysIn)[number]>`sessions.signed_in_by`.as('signed_in_by'),
        'refresh_tokens.created_at as last_used_at',
        'refresh_tokens.user_agent',
        'refresh_tokens.ip_address'
      ])
      .orderBy('refresh_tokens.created_at', 'desc')
      .orderBy('sessions.id', 'desc')
      .limit(p.limit)
      .offset(p.offset)
  )
)

const counts = ofBoth(population =>
  prepared((db, p: { id: number; now: Date }) =>
    active(db, population, p).select(db => db.fn.countAll<number>().as('total'))
  )
)

/** With the one unexchanged refresh token of each: no access token outlives it. */
function active(db: Db, population: Population, p: { id: number; now: Date }) {
  return db
    .selectFrom('sessions')
    .innerJoin('refresh_tokens', 'refresh_tokens.session_id', 'sessions.id')
    .where(columns[population], '=', p.id)
    .where('sessions.ended_at', 'is', null)
    .where('refresh_tokens.is_revoked', '=', false)
    .where('refresh_tokens.expires_at', '>', p.now)
}

const endOne = ofBoth(population =>
  prepared((db, p: { account: number; session: number; now: Date }) =>
    db
      .updateTable('sessions')
      .set({ ended_at: p.now })
      .where('sessions.id', '=', p.session)
      .where(columns[population], '=', p.account)
      .where('sessions.signed_in_by', '<>', 'token')
      .where('sessions.ended_at', 'is', null)
      .returning('sessions.id')
  )
)

const revokeTokens = prepared((db, p: { session: number; now: Date }) =>
  db
    .updateTable('refresh_tokens')
    .set({ is_revoked: true, updated_at: p.now })
    .where('session_id', '=', p.session)
    .where('is_revoked', '=', false)
)

const columns = { client: 'sessions.client_id', staff: 'sessions.staff_id' } as const

function ofBoth<T>(make: (population: Population) => T): Record<Population, T> {
  return { client: make('client'), staff: make('staff') }
}
