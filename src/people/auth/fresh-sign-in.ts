import type { Session } from '../../core/actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { accountOf, knowsPassword, WrongPassword } from './prove-password.ts'
import { proveFactor } from './second-factor.ts'

export const FreshSignInRequired = failure(
  403,
  'fresh_sign_in_required',
  'You signed in more than ten minutes ago: give your password or a code of your authenticator, or sign in again'
)

const freshSeconds = 600

/**
 * Throws unless the caller has signed in during the last ten minutes, or gives the password or a code of the authenticator: for what opens a
 * new way into the account. A password or code that is given has to be right. Throws `FreshSignInRequired`, `WrongPassword`, `WrongFactor`,
 * and 429 after too many attempts.
 */
export async function requireFreshSignIn(
  services: Services,
  { id: session, actor }: Session,
  { password, code }: { password?: string; code?: string },
  ip: string
): Promise<void> {
  const { db, realClock } = services
  if (password !== undefined) {
    const account = await accountOf(services, actor)
    if (await knowsPassword(services, account, password, { ip, session })) return
    throw WrongPassword()
  }
  if (code !== undefined) {
    const account = await accountOf(services, actor)
    if (!account.two_factor_enabled) throw FreshSignInRequired()
    return await proveFactor(services, account, account.two_factor_secret!, code, ip)
  }
  const [fresh] = await freshSession(db, { session, since: secondsAfter(realClock.now(), -freshSeconds) })
  if (!fresh) throw FreshSignInRequired()
}

/** A session is opened by nothing but a sign-in. */
const freshSession = prepared((db, p: { session: number; since: Date }) =>
  db.selectFrom('sessions').where('id', '=', p.session).where('created_at', '>=', p.since).select('id')
)
