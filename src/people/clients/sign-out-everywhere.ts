import { type Db, prepared } from '../../core/db.ts'
import { revokeSignIns } from '../credentials/end-sign-ins.ts'

/**
 * Ends every access to this client's account except the password: sessions, unfinished logins, open reset tokens and one-time codes. Lock
 * the client first, otherwise what is being created for it at the same moment survives.
 */
export async function signOutEverywhere(db: Db, client: number, now: Date): Promise<void> {
  await invalidateCodes(db, { client, type: 'email', now })
  await invalidateCodes(db, { client, type: 'phone', now })
  await revokeSignIns(db, { population: 'client', id: client }, now)
}

/** Voids the client's open one-time codes of that type. */
export const invalidateCodes = prepared((db, p: { client: number; type: 'email' | 'phone'; now: Date }) =>
  db
    .updateTable('verification_codes')
    .set({ is_used: true, updated_at: p.now })
    .where('client_id', '=', p.client)
    .where('type', '=', p.type)
    .where('is_used', '=', false)
)
