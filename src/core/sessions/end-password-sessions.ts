import { sql } from 'kysely'
import { type Db, prepared } from '../db.ts'

/**
 * Ends the sessions and unfinished logins of staff who have signed in by their password and may not any more (O14): all but those of admins with a
 * second factor, and the one in `except`.
 */
export async function endPasswordSessions(db: Db, { except, now }: { except: number; now: Date }): Promise<void> {
  await endChallenges(db, { now })
  const ended = await endSessions(db, { except, now })
  if (ended.length > 0) await revokeTokens(db, { sessions: ended.map(({ id }) => id), now })
}

const mayNot = sql<boolean>`(staff.role <> 'admin' or not staff.two_factor_enabled)`

const endSessions = prepared((db, p: { except: number; now: Date }) =>
  db
    .updateTable('sessions')
    .from('staff')
    .whereRef('staff.id', '=', 'sessions.staff_id')
    .where('sessions.id', '<>', p.except)
    .where('sessions.signed_in_by', 'in', [sql.lit('password' as const), sql.lit('code' as const)])
    .where('sessions.ended_at', 'is', null)
    .where(mayNot)
    .set({ ended_at: p.now })
    .returning('sessions.id')
)

const endChallenges = prepared((db, p: { now: Date }) =>
  db
    .updateTable('login_challenges')
    .from('staff')
    .whereRef('staff.id', '=', 'login_challenges.staff_id')
    .where('login_challenges.provider_id', 'is', null)
    .where('login_challenges.used_at', 'is', null)
    .where(mayNot)
    .set({ used_at: p.now })
)

const revokeTokens = prepared((db, p: { sessions: readonly number[]; now: Date }) =>
  db
    .updateTable('refresh_tokens')
    .set({ is_revoked: true, updated_at: p.now })
    .where('session_id', '=', sql<number>`any(${p.sessions}::bigint[])`)
    .where('is_revoked', '=', false)
)
