import type { Db } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import { endSessionsOf } from '../sessions/sessions.ts'

/**
 * Ends whatever lets somebody in as this client but the password: sessions, half-done logins, open reset tokens and one-time codes.
 * Hold the client first, or one that is being made now escapes.
 */
export async function closeWaysIn(db: Db, client: number, now: Date): Promise<void> {
  await voidResetTokens(db, { client, now })
  await voidCodes(db, { client, type: 'email', now })
  await voidCodes(db, { client, type: 'phone', now })
  await endLogins(db, client, now)
}

/** Ends the sessions and half-done logins of a client. Hold the client first. */
export async function endLogins(db: Db, client: number, now: Date): Promise<void> {
  await endChallenges(db, { client, now })
  await endSessionsOf(db, { population: 'client', id: client }, now)
}

/** Voids the client's open reset tokens. */
export const voidResetTokens = prepared((db, p: { client: number; now: Date }) =>
  db
    .updateTable('reset_tokens')
    .set({ voided_at: p.now })
    .where('client_id', '=', p.client)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
)

/** Voids the client's open one-time codes of that type. */
export const voidCodes = prepared((db, p: { client: number; type: 'email' | 'phone'; now: Date }) =>
  db
    .updateTable('verification_codes')
    .set({ is_used: true, updated_at: p.now })
    .where('client_id', '=', p.client)
    .where('type', '=', p.type)
    .where('is_used', '=', false)
)

const endChallenges = prepared((db, p: { client: number; now: Date }) =>
  db
    .updateTable('login_challenges')
    .set({ used_at: p.now })
    .where('client_id', '=', p.client)
    .where('used_at', 'is', null)
)
