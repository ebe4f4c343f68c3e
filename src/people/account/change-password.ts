import type { Session } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { accountOf, knowsPassword, WrongPassword } from '../auth/prove-password.ts'
import { refuseCommonPassword } from '../credentials/refuse-common-password.ts'
import { setPassword } from '../credentials/set-password.ts'

/**
 * Replaces the caller's password. Every other session ends, this one stays; reset links become void; the caller is notified by e-mail.
 * Returns how many sessions ended. Throws `WrongPassword`, and 429 after too many attempts.
 */
export async function changePassword(
  services: Services,
  { id: session, actor }: Session,
  { current, next }: { current: string; next: string },
  caller: Caller
): Promise<number> {
  const { passwords } = services
  const account = await accountOf(services, actor)
  if (!(await knowsPassword(services, account, current, { ip: caller.ip, session }))) throw WrongPassword()
  if (actor.population === 'staff') await refuseCommonPassword(services, next, 'new_password')
  const hashed = await passwords.hash(next)

  return await act(services, { actor, caller }, async act => {
    const change = { to: hashed, from: account.password, by: 'password', keepSession: session } as const
    const ended = await setPassword(services, act, account, change)
    // The password was changed meanwhile: the one given is no longer right.
    if (ended === undefined) throw WrongPassword()
    return ended
  })
}
