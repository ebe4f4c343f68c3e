import type { Actor } from '../actor.ts'
import { changeStoredPassword } from '../auth/account-changes.ts'
import { accountOf, knowsPassword, WrongPassword } from '../auth/prove-password.ts'
import { voidResetTokens } from '../clients/ways-in.ts'
import { doerOf } from '../history/doer.ts'
import { record } from '../history/record.ts'
import type { Caller } from '../kit/endpoint.ts'
import { postLetter } from '../letters/post-letter.ts'
import { passwordChangedLetter } from '../letters/words.ts'
import { transaction } from '../platform/db/open.ts'
import { voidStaffResetTokens } from '../reset/staff-reset.ts'
import type { Services } from '../services.ts'
import { endSessionsOf } from '../sessions/sessions.ts'

/**
 * Replaces the caller's password. Every other session ends, this one stays; links to choose a new password are void; a
 * letter tells of it. Answers how many sessions ended. Throws `WrongPassword`, and 429 after too many guesses.
 */
export async function changePassword(
  services: Services,
  actor: Actor,
  { current, next }: { current: string; next: string },
  caller: Caller
): Promise<number> {
  const { db, clock, passwords } = services
  const account = await accountOf(services, actor)
  if (!(await knowsPassword(services, account, current, caller.ip))) throw WrongPassword()
  const hashed = await passwords.hash(next)

  return await transaction(db, async db => {
    const now = clock.now()
    // Somebody was faster: what was shown no longer is the password.
    if (!(await changeStoredPassword(db, account, { from: account.password, to: hashed, now }))) throw WrongPassword()
    if (actor.population === 'client') await voidResetTokens(db, { client: actor.id, now })
    else await voidStaffResetTokens(db, { staff: actor.id, now })
    const ended = await endSessionsOf(db, account, now, { except: actor.sessionId })
    await postLetter(services, db, {
      kind: 'password-changed',
      channel: 'mail',
      recipient: account.email,
      requestId: caller.requestId,
      content: passwordChangedLetter()
    })
    await record(services, db, doerOf(actor, caller), {
      action: 'password.changed',
      target: { type: actor.population, id: actor.id },
      after: { by: 'password', sessions_ended: ended }
    })
    return ended
  })
}
