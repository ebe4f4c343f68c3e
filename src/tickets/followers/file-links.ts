import type { Services } from '../../core/services.ts'
import { signedQuery, verifySignedQuery } from '../../platform/secrets/signed-links.ts'

const purpose = 'file for a follower'
const lifetimeSeconds = 14 * 86_400

/**
 * A link by which a follower, as long as they follow the ticket, can download without an account a file that was too large for the e-mail.
 */
export function followerFileLink(
  services: Pick<Services, 'keys' | 'realClock' | 'config'>,
  followerId: number,
  path: string
): string {
  const facts = { follower: String(followerId) }
  const query = signedQuery(services, { purpose, subject: path, facts, seconds: lifetimeSeconds })
  return `${services.config.BASE_URL}${path}?${query}`
}

/** The follower for whom a link to this path was signed; undefined if it was not signed by us, or has expired. */
export function followerOfLink(
  services: Pick<Services, 'keys' | 'realClock'>,
  path: string,
  query: Readonly<Record<string, unknown>>
): number | undefined {
  const facts = verifySignedQuery(services, { purpose, subject: path, names: ['follower'] }, query)
  return facts && Number(facts.follower)
}
