import type { Session, StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { resetTokenSeconds } from '../../core/limits.ts'
import { accountKey, countAttempt } from '../../core/rate-limits/attempts.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { requireVersion } from '../../kit/versions.ts'
import { refuseErased } from '../clients/erased.ts'
import { lockedClient, managedClient } from '../clients/managed-client.ts'
import { resetPage } from '../credentials/reset-page.ts'
import { mailResetLink } from './send-reset-link.ts'

/**
 * E-mails a client the link of forgot-password, which staff do not see. Throws `ClientNotFound`, `ClientErased`, `VersionConflict`,
 * `TooManyAttempts`, `EmailUnconfirmed`.
 */
export async function sendResetFor(
  services: Services,
  { id: session, actor }: Session<StaffActor>,
  caller: Caller,
  { id, expected_version: expected }: { id: number; expected_version?: number }
): Promise<{ email: string; expiresInSeconds: number }> {
  const page = resetPage(services.config)
  // Checked before the attempt is counted, and again under the lock.
  const known = await managedClient(services.db, id)
  requireVersion(known.version, expected)
  refuseErased(known)
  await countAttempt(services, { kind: 'reset-mail', account: accountKey('client', id), session })

  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const client = await lockedClient(db, id)
    requireVersion(client.version, expected)
    refuseErased(client)
    await mailResetLink(services, db, client, page, caller.requestId)
    act.happened({ kind: 'client.reset_sent', subject: { type: 'client', id } })
    return { email: client.email, expiresInSeconds: resetTokenSeconds }
  })
}
