import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { addressInForce } from '../credentials/email-in-force.ts'
import { endSignIns } from '../credentials/end-sign-ins.ts'
import { removePasskeys } from '../credentials/remove-passkeys.ts'
import { lockedClient, type ManagedClient, managedClient } from './managed-client.ts'

export const NoTwoFactor = failure(400, 'two_factor_off', 'Two-factor authentication is not on')

/**
 * Removes the second factor and the passkeys of a client who has lost them: the password alone logs in again. All sessions end, and the client is notified by
 * e-mail. Throws `ClientNotFound`, `NoTwoFactor`, `VersionConflict`.
 */
export async function resetTwoFactor(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { id, reason, expected_version }: { id: number; reason: string; expected_version?: number }
): Promise<ManagedClient> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedClient(db, id)
    requireVersion(former.version, expected_version)
    const passkeys = await removePasskeys(db, { population: 'client', id })
    if (!former.two_factor_enabled && passkeys === 0) throw NoTwoFactor()
    const { now } = act
    await takeFactor(db, { id, now })
    await endSignIns(db, { population: 'client', id }, now)
    await addToOutbox(services, db, {
      kind: 'two-factor-reset',
      channel: 'mail',
      recipient: (await addressInForce(db, id)) ?? former.email,
      clientId: id,
      requestId: caller.requestId,
      reader: { population: 'client', id },
      email: { template: 'two-factor-reset', values: {} }
    })
    const before = { two_factor_enabled: former.two_factor_enabled }
    const after = { two_factor_enabled: false, reason, passkeys_deleted: passkeys }
    act.happened({ kind: 'client.two_factor_reset', subject: { type: 'client', id }, before, after })
    return await managedClient(db, id)
  })
}

/** Removes the second factor of a client. */
export const takeFactor = prepared((db, p: { id: number; now: Date }) =>
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
