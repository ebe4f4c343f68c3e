import type { Actor, Session } from '../actor.ts'
import { downloadLinkSeconds } from '../limits.ts'
import { signedFacts, signedQuery } from '../platform/secrets/signed-links.ts'
import type { Services } from '../services.ts'
import { actorOfSession } from '../sessions/session-of.ts'

/**
 * A link that works for some minutes without a bearer, so that a browser can fetch a file: as long as the session in which it was made
 * goes on, and whoever made it may see the file. It is built from BASE_URL, never from what the request says of its host.
 */
export function downloadLink(
  services: Pick<Services, 'keys' | 'clock' | 'config'>,
  { id, actor }: Session,
  path: string
) {
  const facts = { session: `${actor.population}.${actor.id}.${id}` }
  const query = signedQuery(services, { purpose, subject: path, facts, seconds: downloadLinkSeconds })
  return { url: `${services.config.BASE_URL}${path}?${query}`, expires_in: downloadLinkSeconds }
}

/** Who made the link to this path, as they are now; undefined where we have not signed it, or it is over. */
export async function actorOfLink(
  services: Pick<Services, 'keys' | 'clock' | 'db'>,
  path: string,
  query: Readonly<Record<string, unknown>>
): Promise<Actor | undefined> {
  const facts = signedFacts(services, { purpose, subject: path, names: ['session'] }, query)
  if (!facts) return undefined
  const [population, account, id] = facts.session.split('.')
  return await actorOfSession(services.db, {
    population: population as Actor['population'],
    account: Number(account),
    session: Number(id)
  })
}

const purpose = 'download'
