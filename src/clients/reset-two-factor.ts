import type { StaffActor } from '../actor.ts'
import { endSignIns } from '../credentials/sign-ins.ts'
import { doerOf } from '../history/doer.ts'
import { record } from '../history/record.ts'
import type { Caller } from '../kit/endpoint.ts'
import { failure } from '../kit/errors.ts'
import { requireVersion } from '../kit/versions.ts'
import { postLetter } from '../letters/post-letter.ts'
import { twoFactorResetLetter } from '../letters/words.ts'
import { transaction } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import type { Services } from '../services.ts'
import { heldClient, type ManagedClient, managedClient } from './managed-client.ts'

export const NoTwoFactor = failure(400, 'two_factor_off', 'Two-factor authentication is not on')

/**
 * Takes the second factor from a client who has lost it: the password alone logs in again. All sessions end, and the client is told
 * by letter. Throws `ClientNotFound`, `NoTwoFactor`, `VersionConflict`.
 */
export async function resetTwoFactor(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { id, reason, expected_version }: { id: number; reason: string; expected_version?: number }
): Promise<ManagedClient> {
  return await transaction(services.db, async db => {
    const former = await heldClient(db, id)
    requireVersion(former.version, expected_version)
    if (!former.two_factor_enabled) throw NoTwoFactor()
    const now = services.clock.now()
    await takeFactor(db, { id, now })
    await endSignIns(db, { population: 'client', id }, now)
    await postLetter(services, db, {
      kind: 'two-factor-reset',
      channel: 'mail',
      recipient: former.email,
      clientId: id,
      requestId: caller.requestId,
      content: twoFactorResetLetter()
    })
    const client = await managedClient(db, id)
    const deed = { action: 'client.two_factor_reset', target: { type: 'client', id } } as const
    const [before, after] = [{ two_factor_enabled: true }, { two_factor_enabled: false, reason }]
    await record(services, db, doerOf(actor, caller), { ...deed, before, after })
    return client
  })
}

const takeFactor = prepared((db, p: { id: number; now: Date }) =>
  db
    .updateTable('clients')
    .set({
      two_factor_enabled: false,
      two_factor_secret: null,
      two_factor_pending_secret: null,
      two_factor_last_step: null,
      updated_at: p.now
    })
    .where('id', '=', p.id)
)
