import { act } from '../../core/acts/act.ts'
import { auditActorOfAccount } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import { accountKey, deleteAttempts } from '../../core/rate-limits/attempts.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { Failure } from '../../kit/errors.ts'
import { lockClient } from '../clients/lock-client.ts'
import { proveByLink } from '../clients/prove-email.ts'
import { EmailTaken } from '../clients/sign-up.ts'
import { setPassword } from '../credentials/set-password.ts'
import { openReset, ResetTokenInvalid } from './reset-token.ts'

/**
 * Replaces a client's password, and proves the address to which the link was sent. Of concurrent attempts with one token exactly one succeeds.
 * Sessions, unfinished logins and other reset tokens of the old password end, and what rested on a claim to the address: see `proveByLink`. Throws `ResetTokenInvalid`, `ResetTokenUsed`.
 */
export async function resetPassword(
  services: Services,
  token: string,
  newPassword: string,
  caller: Caller
): Promise<void> {
  const { db, passwords } = services
  // Checked before hashing, so that a bad token costs only a read; checked again when it is consumed.
  const { id, client } = await openReset(services, db, token)
  const password = await passwords.hash(newPassword)

  await act(services, auditActorOfAccount(client, caller), async act => {
    const { db } = act
    await lockClient(db, client.id)
    const [used] = await useResetToken(db, { id, now: services.realClock.now() })
    if (!used) {
      // Another request was first: this throws what applies to the token now.
      await openReset(services, db, token)
      throw ResetTokenInvalid()
    }
    const isReturned = await proveByLink(act, { client: client.id, email: client.email }).catch(invalid)
    if (isReturned) {
      const event = { kind: 'profile.changed', subject: { type: 'client', id: client.id } } as const
      act.happened({ ...event, after: { fields: ['email'] } })
    }
    await setPassword(services, act, client, { to: password, by: 'reset-link' })
  })
  // Somebody who reads the account's e-mail is no attacker: the login with the new password is not limited.
  await deleteAttempts(db, [accountKey('client', client.email)], ['password'])
}

/** Somebody else has the former address by now, which cannot be given back. */
function invalid(error: unknown): never {
  throw error instanceof Failure && error.kind === EmailTaken ? ResetTokenInvalid() : error
}

const useResetToken = prepared((db, p: { id: number; now: Date }) =>
  db
    .updateTable('reset_tokens')
    .set({ used_at: p.now })
    .where('id', '=', p.id)
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returning('id')
)
