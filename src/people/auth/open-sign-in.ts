import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { type Device, openSession, type SessionOptions, type TokenPair } from '../../core/sessions/sessions.ts'
import type { SignedInBy } from '../../core/tables/sessions.ts'
import type { AnyAccount } from './accounts.ts'
import { noteDevice } from './known-devices.ts'

interface SignInOptions extends SessionOptions {
  signedInBy?: SignedInBy
  /** Of a refresh token that the device has sent to show that it is known. */
  tokenDigests?: readonly string[]
}

/**
 * Opens a session for somebody who has signed in, as `openSession` does, and tells them by e-mail if the device is new. `db` is a transaction.
 */
export async function openSignIn(
  services: Pick<Services, 'clock' | 'config' | 'jobs' | 'keys' | 'realClock'>,
  db: Db,
  account: AnyAccount,
  device: Device,
  { signedInBy = 'password', tokenDigests = [], ...options }: SignInOptions = {}
): Promise<TokenPair | undefined> {
  const opened = await openSession(services, db, account, device, signedInBy, options)
  if (!opened) return undefined
  if (account.population === 'staff') await endFirstSignIn(db, { id: account.id })
  await noteDevice(services, db, account, device, { session: opened.session, tokenDigests })
  return opened.tokens
}

// Whoever was made at a terminal has signed in by now, in whatever way: from here on they need what all staff need (O14).
const endFirstSignIn = prepared((db, p: { id: number }) =>
  db.updateTable('staff').set({ signs_in_once: false }).where('id', '=', p.id).where('signs_in_once', '=', true)
)
