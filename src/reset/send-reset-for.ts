import type { Session, StaffActor } from '../actor.ts'
import { auditActorOf } from '../audit/audit-actor.ts'
import { record } from '../audit/record.ts'
import { refuseErased } from '../clients/erased.ts'
import { lockedClient, managedClient } from '../clients/managed-client.ts'
import { transaction } from '../db.ts'
import type { Caller } from '../kit/caller.ts'
import { requireVersion } from '../kit/versions.ts'
import { resetTokenSeconds } from '../limits.ts'
import { accountKey, countAttempt } from '../rate-limits/attempts.ts'
import type { Services } from '../services.ts'
import { resetPage } from './reset-page.ts'
import { mailResetLink } from './send-reset-link.ts'

/**
 * Has a client mailed the link that forgot-password sends; staff do not get to see it. Throws `ClientNotFound`, `ClientErased`,
 * `VersionConflict`, `TooManyAttempts`.
 */
export async function sendResetFor(
  services: Services,
  { id: session, actor }: Session<StaffActor>,
  caller: Caller,
  { id, expected_version: expected }: { id: number; expected_version?: number }
): Promise<{ email: string; expiresInSeconds: number }> {
  const page = resetPage(services.config)
  const known = await managedClient(services.db, id)
  requireVersion(known.version, expected)
  refuseErased(known)
  await countAttempt(services, { kind: 'reset-mail', account: accountKey('client', id), session })

  return await transaction(services.db, async db => {
    const client = await lockedClient(db, id)
    requireVersion(client.version, expected)
    await mailResetLink(services, db, client, page, caller.requestId)
    await record(services, db, auditActorOf(actor, caller), {
      action: 'client.reset_sent',
      target: { type: 'client', id }
    })
    return { email: client.email, expiresInSeconds: resetTokenSeconds }
  })
}
