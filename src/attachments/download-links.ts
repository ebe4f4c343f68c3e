import type { Actor } from '../actor.ts'
import { downloadLinkSeconds } from '../limits.ts'
import { sameSecret } from '../platform/secrets/same-secret.ts'
import type { Services } from '../services.ts'
import { actorOfSession } from '../sessions/actor-of.ts'

/**
 * A link that works for some minutes without a bearer, so that a browser can fetch a file: as long as the session in which it was made
 * goes on, and whoever made it may see the file. It is built from BASE_URL, never from what the request says of its host.
 */
export function downloadLink(
  { keys, clock, config }: Pick<Services, 'keys' | 'clock' | 'config'>,
  actor: Actor,
  path: string
) {
  const expires = String(Math.floor(clock.now().getTime() / 1000) + downloadLinkSeconds)
  const session = `${actor.population}.${actor.id}.${actor.sessionId}`
  const query = new URLSearchParams({
    session,
    expires,
    signature: keys.digest(purpose, signed(path, session, expires))
  })
  return { url: `${config.BASE_URL}${path}?${query}`, expires_in: downloadLinkSeconds }
}

/** Who made the link to this path, as they are now; undefined where we have not signed it, or it is over. */
export async function actorOfLink(
  { keys, clock, db }: Pick<Services, 'keys' | 'clock' | 'db'>,
  path: string,
  { session, expires, signature }: { session?: unknown; expires?: unknown; signature?: unknown }
): Promise<Actor | undefined> {
  if (typeof session !== 'string' || typeof expires !== 'string' || typeof signature !== 'string') return undefined
  const isOurs = keys.digests(purpose, signed(path, session, expires)).some(digest => sameSecret(digest, signature))
  if (!isOurs || Number(expires) * 1000 <= clock.now().getTime()) return undefined
  const [population, account, id] = session.split('.')
  return await actorOfSession(db, {
    population: population as Actor['population'],
    account: Number(account),
    session: Number(id)
  })
}

const purpose = 'download'

function signed(path: string, session: string, expires: string): string {
  return [path, session, expires].join('\n')
}
