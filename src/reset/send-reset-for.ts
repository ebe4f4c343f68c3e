import type { StaffActor } from '../actor.ts'
import { refuseErased } from '../clients/erased.ts'
import { heldClient, managedClient } from '../clients/managed-client.ts'
import { accountKey, countGuess } from '../guessing/guesses.ts'
import { doerOf } from '../history/doer.ts'
import { record } from '../history/record.ts'
import type { Caller } from '../kit/endpoint.ts'
import { requireVersion } from '../kit/versions.ts'
import { resetTokenSeconds } from '../limits.ts'
import { transaction } from '../platform/db/open.ts'
import type { Services } from '../services.ts'
import { resetPage } from './reset-page.ts'
import { mailResetLink } from './send-reset-link.ts'

/**
 * Has a client mailed the link that forgot-password sends; staff do not get to see it. Throws `ClientNotFound`, `ClientErased`,
 * `VersionConflict`, `TooManyAttempts`.
 */
export async function sendResetFor(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version: expected }: { id: number; expected_version?: number }
): Promise<{ email: string; expiresInSeconds: number }> {
  const page = resetPage(services.config)
  const known = await managedClient(services.db, id)
  requireVersion(known.version, expected)
  refuseErased(known)
  await countGuess(services, { kind: 'reset-mail', account: accountKey('client', id), session: actor.sessionId })

  return await transaction(services.db, async db => {
    const client = await heldClient(db, id)
    requireVersion(client.version, expected)
    await mailResetLink(services, db, client, page, caller.requestId)
    await record(services, db, doerOf(actor, caller), { action: 'client.reset_sent', target: { type: 'client', id } })
    return { email: client.email, expiresInSeconds: resetTokenSeconds }
  })
}
