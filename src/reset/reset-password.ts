import { act } from '../acts/act.ts'
import { auditActorOfAccount } from '../audit/audit-actor.ts'
import { lockClient } from '../clients/lock-client.ts'
import { setPassword } from '../credentials/set-password.ts'
import { prepared } from '../db.ts'
import type { Caller } from '../kit/caller.ts'
import { accountKey, forgetAttempts } from '../rate-limits/attempts.ts'
import type { Services } from '../services.ts'
import { openReset, ResetTokenInvalid } from './reset-token.ts'

/**
 * Replaces a client's password. Of any number of attempts at once with one token exactly one succeeds. Whatever the old
 * password had opened dies with it: sessions, half-done logins, other reset tokens. Throws `ResetTokenInvalid`,
 * `ResetTokenUsed`.
 */
export async function resetPassword(
  services: Services,
  token: string,
  newPassword: string,
  caller: Caller
): Promise<void> {
  const { db, passwords } = services
  // Looked at before hashing, so that a bad token costs no more than a look; judged below, where it is used.
  const { id, client } = await openReset(services, db, token)
  const password = await passwords.hash(newPassword)

  await act(services, auditActorOfAccount(client, caller), async act => {
    const { db, now } = act
    await lockClient(db, client.id)
    const [used] = await useResetToken(db, { id, now })
    if (!used) {
      // Somebody was faster. This says what has become of the token.
      await openReset(services, db, token)
      throw ResetTokenInvalid()
    }
    await setPassword(services, act, client, { to: password, by: 'reset-link' })
  })
  // Somebody who reads the account's mail is no attacker: nothing limits the login with the new password.
  await forgetAttempts(db, [accountKey('client', client.email)], ['password'])
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
