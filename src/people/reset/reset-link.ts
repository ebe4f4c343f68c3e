import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { requireConfirmedEmail } from '../clients/email-changes.ts'
import { lockClientAt } from '../clients/lock-client.ts'
import { insertResetLink, invalidateResetLinksTo, type ResetLink } from '../credentials/reset-link.ts'

/**
 * Creates a link to `page` that is valid for this many seconds, and voids older ones to this address, within the transaction `db`. Undefined if
 * the client no longer exists or has another address, to which it would be e-mailed. Throws `EmailUnconfirmed`.
 */
export async function newResetLink(
  services: Pick<Services, 'keys' | 'realClock'>,
  db: Db,
  client: { id: number; email: string },
  page: URL,
  lifetimeSeconds: number
): Promise<ResetLink | undefined> {
  if (!(await lockClientAt(db, client))) return undefined
  await requireConfirmedEmail(db, client.id)
  await invalidateResetLinksTo(db, { client: client.id, email: client.email, now: services.realClock.now() })
  return await insertResetLink(services, db, client, page, lifetimeSeconds)
}
