import type { Session } from '../../core/actor.ts'
import { downloadLinkSeconds } from '../../core/limits.ts'
import type { Services } from '../../core/services.ts'
import { signedQuery, verifySignedQuery } from '../../platform/secrets/signed-links.ts'

/** The client of the archive, and the staff member and session that made the link. */
interface ExportLink {
  client: number
  staff: number
  session: number
}

/** A link that works for some minutes without a bearer token, while its maker may fetch the archive. */
export function exportUrl(
  services: Pick<Services, 'keys' | 'realClock' | 'config'>,
  { id, actor }: Session,
  client: number
): { url: string; expires_in: number } {
  const facts = { staff: String(actor.id), session: String(id) }
  const query = signedQuery(services, { purpose, subject: String(client), facts, seconds: downloadLinkSeconds })
  return { url: `${services.config.BASE_URL}/exports/clients/${client}?${query}`, expires_in: downloadLinkSeconds }
}

/** The contents of a link that we signed and that has not expired; undefined for any other. */
export function exportLinkAt(
  world: Pick<Services, 'keys' | 'realClock'>,
  id: string,
  query: Readonly<Record<string, unknown>>
): ExportLink | undefined {
  const facts = verifySignedQuery(world, { purpose, subject: id, names: ['staff', 'session'] }, query)
  return facts && { client: Number(id), staff: Number(facts.staff), session: Number(facts.session) }
}

const purpose = 'export'
