import { createHash, randomBytes } from 'node:crypto'
import { prepared } from '../../core/db.ts'
import { countAll, networkLimits } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import type { Population } from '../../core/tables/columns.ts'
import { secondsAfter } from '../../lib/time.ts'
import { oidcClient, oidcOf, type SsoProvider } from './providers.ts'

/** How long somebody may take at the provider. */
export const attemptSeconds = 600
const verifierPurpose = 'sso attempt'
const [mostPerNetwork, mostSeconds] = [300, 300]

export interface Begun {
  returnTo: string
  purpose: 'sign-in' | 'link' | 'test'
  session?: number
}

/**
 * Begins a sign-in at a provider. The state that it sends back counts once, at this provider, and only with the cookie of the browser that
 * began. Throws `OidcFault`, and 429 after too many from one network.
 */
export async function beginAttempt(
  services: Services,
  provider: SsoProvider,
  { returnTo, purpose, session }: Begun,
  ip: string
): Promise<{ id: number; url: string; cookie: string }> {
  const { db, keys, realClock } = services
  const limit = { key: 'sso-attempts-by', kind: 'sso-attempts', most: mostPerNetwork, seconds: mostSeconds }
  await countAll(services, networkLimits(ip, limit))
  const [state, nonce, verifier] = [secret(), secret(), secret()] as const
  const cookie = `${provider.population}.${secret()}`
  const url = await oidcOf(services).authorizationUrl(oidcClient(services, provider), { state, nonce, verifier })
  const [begun] = await insert(db, {
    state: digest(state),
    cookie: digest(cookie),
    provider: provider.id,
    nonce,
    verifier: keys.seal(verifierPurpose, verifier),
    returnTo,
    purpose,
    session: session ?? null,
    expires: secondsAfter(realClock.now(), attemptSeconds)
  })
  return { id: begun!.id, url, cookie }
}

export interface Attempt {
  id: number
  nonce: string
  verifier: string
  returnTo: string
  purpose: 'sign-in' | 'link' | 'test'
  session: number | null
}

/** Whose sign-in page the browser came from, by the cookie of its attempt: also when the provider is gone. */
export function populationOf(cookie: string): Population {
  return cookie.startsWith('staff.') ? 'staff' : 'client'
}

/** Uses up an attempt; undefined for one of another browser or provider, a used or an old one. */
export async function useAttempt(
  { db, keys, realClock }: Services,
  provider: SsoProvider,
  { state, cookie }: { state: string; cookie: string }
): Promise<Attempt | undefined> {
  const now = realClock.now()
  const [used] = await use(db, { state: digest(state), cookie: digest(cookie), provider: provider.id, now })
  return (
    used && {
      id: used.id,
      nonce: used.nonce,
      verifier: keys.unseal(verifierPurpose, used.sealed_verifier),
      returnTo: used.return_to,
      purpose: used.purpose,
      session: used.session_id
    }
  )
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

function digest(given: string): string {
  return createHash('sha256').update(given).digest('hex')
}

interface NewAttempt {
  state: string
  cookie: string
  provider: number
  nonce: string
  verifier: string
  returnTo: string
  purpose: Attempt['purpose']
  session: number | null
  expires: Date
}

const insert = prepared((db, p: NewAttempt) =>
  db
    .insertInto('sso_attempts')
    .values({
      state_sha256: p.state,
      cookie_sha256: p.cookie,
      provider_id: p.provider,
      nonce: p.nonce,
      sealed_verifier: p.verifier,
      return_to: p.returnTo,
      purpose: p.purpose,
      session_id: p.session,
      expires_at: p.expires
    })
    .returning('id')
)

const use = prepared((db, p: { state: string; cookie: string; provider: number; now: Date }) =>
  db
    .updateTable('sso_attempts')
    .set({ used_at: p.now })
    .where('state_sha256', '=', p.state)
    .where('cookie_sha256', '=', p.cookie)
    .where('provider_id', '=', p.provider)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returning(['id', 'nonce', 'sealed_verifier', 'return_to', 'purpose', 'session_id'])
)
