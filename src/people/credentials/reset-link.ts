import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { resetLink } from './reset-page.ts'

/** Whoever has it may replace the client's password, once and until it expires. */
export interface ResetLink {
  token: string
  link: string
}

/** Creates a link to `page` that is valid for this many seconds; `email` is the address to which it is sent, and which its use proves. */
export async function insertResetLink(
  { keys, realClock }: Pick<Services, 'keys' | 'realClock'>,
  db: Db,
  client: { id: number; email: string },
  page: URL,
  lifetimeSeconds: number
): Promise<ResetLink> {
  const now = realClock.now()
  const [row] = await insertResetToken(db, {
    client_id: client.id,
    email: client.email,
    created_at: now,
    expires_at: secondsAfter(now, lifetimeSeconds)
  })
  const token = keys.sign('reset', { reset: row!.id }, now, lifetimeSeconds)
  return { token, link: resetLink(page, token, client.email) }
}

const insertResetToken = prepared((db, p: { client_id: number; email: string; created_at: Date; expires_at: Date }) =>
  db
    .insertInto('reset_tokens')
    .values({ client_id: p.client_id, email: p.email, created_at: p.created_at, expires_at: p.expires_at })
    .returning('id')
)

/**
 * Voids the open reset links and invitations that were sent to this address of a client. Those sent to a former address, by which its owner
 * takes the account back, stay: otherwise a thief would only have to ask for another. Lock the client first.
 */
export const invalidateResetLinksTo = prepared((db: Db, p: { client: number; email: string; now: Date }) =>
  db
    .updateTable('reset_tokens')
    .set({ voided_at: p.now })
    .where('client_id', '=', p.client)
    .where(sql`lower(email)`, '=', sql`lower(${p.email})`)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
)
