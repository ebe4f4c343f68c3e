import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Services } from '../../core/services.ts'
import { widgetSecrets } from './secrets.ts'

/** Whoever the site says its visitor is. */
export interface Visitor {
  email: string
  name: string
}

/** A site may vouch for its visitor for a day at most. */
const maxSeconds = 86_400
const maxCharacters = 2_000

/**
 * Who the visitor is, as the site has signed it (K15): base64url of `{ "email", "name", "exp" }`, a dot, and the HMAC-SHA256 of that base64url, in
 * base64url or hexadecimal. Undefined if none of our secrets has signed it, if it has expired, or if it is good for more than a day. It can be used
 * again until it expires, and is good for nothing else than opening tickets, by the limits of the open form.
 */
export async function visitorOf(
  { db, keys, realClock }: Pick<Services, 'db' | 'keys' | 'realClock'>,
  identity: string
): Promise<Visitor | undefined> {
  if (identity.length > maxCharacters) return undefined
  const [, payload, signature] = /^([A-Za-z0-9_-]+)={0,2}\.([A-Za-z0-9_-]{43}|[0-9a-f]{64})=?$/.exec(identity) ?? []
  if (payload === undefined || signature === undefined) return undefined
  const now = realClock.now()
  const sent = Buffer.from(signature, signature.length === 64 ? 'hex' : 'base64url')
  const isGenuine = (await widgetSecrets({ db, keys }, now)).some(secret =>
    timingSafeEqual(createHmac('sha256', secret).update(payload).digest(), sent)
  )
  return isGenuine ? visitorIn(payload, now.getTime() / 1000) : undefined
}

function visitorIn(payload: string, seconds: number): Visitor | undefined {
  let said: unknown
  try {
    said = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  const { email, name, exp } = (said ?? {}) as Record<string, unknown>
  if (typeof email !== 'string' || typeof exp !== 'number') return undefined
  if (!(exp > seconds && exp <= seconds + maxSeconds)) return undefined
  return { email: email.trim(), name: typeof name === 'string' ? name.trim() : '' }
}
