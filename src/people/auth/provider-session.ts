import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Device, TokenPair } from '../../core/sessions/sessions.ts'
import { secondsAfter } from '../../lib/time.ts'
import type { AnyAccount } from './accounts.ts'
import { openSignIn } from './open-sign-in.ts'

/** Staff whom their firm has signed out stay in for so long at most. */
const staffSeconds = 12 * 3600

/** Opens a session for somebody whom an identity provider has sent; undefined as `openSignIn`. */
export async function openProviderSession(
  services: Services,
  db: Db,
  account: AnyAccount,
  device: Device,
  { hasProviderFactor = false }: { hasProviderFactor?: boolean } = {}
): Promise<TokenPair | undefined> {
  const endsAt = account.population === 'staff' ? secondsAfter(services.realClock.now(), staffSeconds) : null
  return await openSignIn(services, db, account, device, { signedInBy: 'provider', endsAt, hasProviderFactor })
}
