import type { Actor, Session } from '../../core/actor.ts'
import { downloadLinkSeconds } from '../../core/limits.ts'
import type { Services } from '../../core/services.ts'
import { actorOfSession } from '../../core/sessions/session-of.ts'
import { signedQuery, verifySignedQuery } from '../../platform/secrets/signed-links.ts'

/**
 * A link that works for some minutes without a bearer token, so that a browser can download a file, while the session that made it lasts
 * and its owner may see the file. It is built from BASE_URL, never from the Host header.
 */
export function downloadLink(
  services: Pick<Services, 'keys' | 'realClock' | 'config'>,
  { id, actor }: Session,
  path: string
) {
  const facts = { session: `${actor.population}.${actor.id}.${id}` }
  const query = signedQuery(services, { purpose, subject: path, facts, seconds: downloadLinkSeconds })
  return { url: `${services.config.BASE_URL}${path}?${query}`, expires_in: downloadLinkSeconds }
}

/** The current actor who made the link to this path; undefined if it was not signed by us, or has expired. */
export async function actorOfLink(
  services: Pick<Services, 'keys' | 'realClock' | 'db'>,
  path: string,
  query: Readonly<Record<string, unknown>>
): Promise<Actor | undefined> {
  const facts = verifySignedQuery(services, { purpose, subject: path, names: ['session'] }, query)
  if (!facts) return undefined
  const [population, account, id] = facts.session.split('.')
  return await actorOfSession(services.db, {
    population: population as Actor['population'],
    account: Number(account),
    session: Number(id)
  })
}

const purpose = 'download'
