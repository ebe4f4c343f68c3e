import { signedFacts, signedQuery } from '../platform/secrets/signed-links.ts'
import type { Services } from '../services.ts'

const purpose = 'file for a follower'
const lifetimeSeconds = 14 * 86_400

/** Where somebody who follows a ticket fetches a file that was too large for the e-mail, without an account, as long as they follow it. */
export function followerFileLink(
  services: Pick<Services, 'keys' | 'clock' | 'config'>,
  followerId: number,
  path: string
): string {
  const facts = { follower: String(followerId) }
  const query = signedQuery(services, { purpose, subject: path, facts, seconds: lifetimeSeconds })
  return `${services.config.BASE_URL}${path}?${query}`
}

/** The follower for whom a link to this path was made; undefined where we made none, or it is over. */
export function followerOfLink(
  services: Pick<Services, 'keys' | 'clock'>,
  path: string,
  query: Readonly<Record<string, unknown>>
): number | undefined {
  const facts = signedFacts(services, { purpose, subject: path, names: ['follower'] }, query)
  return facts && Number(facts.follower)
}
