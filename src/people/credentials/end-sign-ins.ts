import type { CompiledQuery } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { type Account, endSessionsOf } from '../../core/sessions/sessions.ts'

// Lock the account first, otherwise what is being created for it at the same moment survives.

/** Voids the account's open reset links and invitations. */
export const invalidateResetLinks = forBoth(
  (db, p: { id: number; now: Date }) =>
    db
      .updateTable('reset_tokens')
      .set({ voided_at: p.now })
      .where('client_id', '=', p.id)
      .where('used_at', 'is', null)
      .where('voided_at', 'is', null),
  (db, p) =>
    db
      .updateTable('staff_reset_tokens')
      .set({ voided_at: p.now })
      .where('staff_id', '=', p.id)
      .where('used_at', 'is', null)
      .where('voided_at', 'is', null)
)

/**
 * Ends the account's sessions except the one in `except`, its API tokens unless `keepTokens`, and its unfinished logins. Returns how many sessions
 * and tokens ended.
 */
export async function endSignIns(
  db: Db,
  account: Account,
  now: Date,
  options: { except?: number | undefined; keepTokens?: boolean } = {}
): Promise<number> {
  await endChallenges(db, account, now)
  return await endSessionsOf(db, account, now, options)
}

/** Ends every access to the account except its password: sessions, unfinished logins, reset links. Returns how many sessions ended. */
export async function revokeSignIns(db: Db, account: Account, now: Date): Promise<number> {
  await invalidateResetLinks(db, account, now)
  return await endSignIns(db, account, now)
}

const endChallenges = forBoth(
  (db, p: { id: number; now: Date }) =>
    db
      .updateTable('login_challenges')
      .set({ used_at: p.now })
      .where('client_id', '=', p.id)
      .where('used_at', 'is', null),
  (db, p) =>
    db.updateTable('login_challenges').set({ used_at: p.now }).where('staff_id', '=', p.id).where('used_at', 'is', null)
)

type Build = (db: Db, parameters: { id: number; now: Date }) => { compile(): CompiledQuery<unknown> }

function forBoth(ofClient: Build, ofStaff: Build): (db: Db, account: Account, now: Date) => Promise<void> {
  const change = { client: prepared(ofClient), staff: prepared(ofStaff) }
  return async (db, { population, id }, now) => {
    await change[population](db, { id, now })
  }
}
