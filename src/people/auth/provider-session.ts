import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { type Account, type Device, openSession, type TokenPair } from '../../core/sessions/sessions.ts'
import { secondsAfter } from '../../lib/time.ts'

/** Staff whom their firm has signed out stay in for so long at most. */
const staffSeconds = 12 * 3600

/** Opens a session for somebody whom an identity provider has sent; undefined as `openSession`. */
export async function openProviderSession(
  services: Pick<Services, 'keys' | 'realClock'>,
  db: Db,
  account: Account & { password: string },
  device: Device,
  { hasProviderFactor = false }: { hasProviderFactor?: boolean } = {}
): Promise<TokenPair | undefined> {
  const endsAt = account.population === 'staff' ? secondsAfter(services.realClock.now(), staffSeconds) : null
  return await openSession(services, db, account, device, 'provider', { endsAt, hasProviderFactor })
}
