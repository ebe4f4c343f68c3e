import type { StaffActor } from '../actor.ts'
import { downloadLinkSeconds } from '../limits.ts'
import { sameSecret } from '../platform/secrets/same-secret.ts'
import type { Services } from '../services.ts'

/** Which client's archive a link is for, and who made it in which session. */
interface ExportLink {
  client: number
  staff: number
  session: number
}

/** A link that works for some minutes without a bearer, as long as whoever made it may fetch the archive. */
export function exportUrl(
  { keys, clock, config }: Pick<Services, 'keys' | 'clock' | 'config'>,
  actor: StaffActor,
  client: number
): { url: string; expires_in: number } {
  const expires = Math.floor(clock.now().getTime() / 1000) + downloadLinkSeconds
  const link = { client, staff: actor.id, session: actor.sessionId }
  const query = new URLSearchParams({
    staff: String(link.staff),
    session: String(link.session),
    expires: String(expires),
    signature: keys.digest(purpose, signed(link, expires))
  })
  return { url: `${config.BASE_URL}/exports/clients/${client}?${query}`, expires_in: downloadLinkSeconds }
}

/** What a link is for that we signed, until a time that is still to come; undefined for any other. */
export function exportLinkAt(
  { keys, clock }: Pick<Services, 'keys' | 'clock'>,
  id: string,
  { staff, session, expires, signature }: Record<string, unknown>
): ExportLink | undefined {
  if (![id, staff, session, expires].every(isPositiveInteger) || typeof signature !== 'string') return undefined
  const link = { client: Number(id), staff: Number(staff), session: Number(session) }
  if (Number(expires) * 1000 <= clock.now().getTime()) return undefined
  const isOurs = keys.digests(purpose, signed(link, Number(expires))).some(digest => sameSecret(digest, signature))
  return isOurs ? link : undefined
}

const purpose = 'export'

function signed({ client, staff, session }: ExportLink, expires: number): string {
  return [client, staff, session, expires].join('\n')
}

function isPositiveInteger(value: unknown): boolean {
  return typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value)
}
