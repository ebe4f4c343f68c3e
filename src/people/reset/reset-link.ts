import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { requireConfirmedEmail } from '../clients/email-changes.ts'
import { lockClientAt } from '../clients/lock-client.ts'
import { invalidateResetLinks } from '../credentials/end-sign-ins.ts'
import { resetLink } from './reset-page.ts'

/** Whoever has it may replace the client's password, once and until it expires. */
export interface ResetLink {
  token: string
  link: string
}

/**
 * Creates a link to `page` that is valid for this many seconds, and voids older ones, within the transaction `db`. Undefined if the client
 * no longer exists or has another address, to which it would be e-mailed. Throws `EmailUnconfirmed`.
 */
export async function newResetLink(
  { keys, clock }: Pick<Services, 'keys' | 'clock'>,
  db: Db,
  client: { id: number; email: string },
  page: URL,
  lifetimeSeconds: number
): Promise<ResetLink | undefined> {
  if (!(await lockClientAt(db, client))) return undefined
  await requireConfirmedEmail(db, client.id)
  const now = clock.now()
  await invalidateResetLinks(db, { population: 'client', id: client.id }, now)
  const [row] = await insertResetToken(db, {
    client_id: client.id,
    created_at: now,
    expires_at: secondsAfter(now, lifetimeSeconds)
  })
  const token = keys.sign('reset', { reset: row!.id }, now, lifetimeSeconds)
  return { token, link: resetLink(page, token, client.email) }
}

const insertResetToken = prepared(
  (db, { client_id, created_at, expires_at }: { client_id: number; created_at: Date; expires_at: Date }) =>
    db.insertInto('reset_tokens').values({ client_id, created_at, expires_at }).returning('id')
)
