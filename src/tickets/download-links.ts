import { downloadLinkSeconds } from '../limits.ts'
import { sameSecret } from '../platform/secrets/keys.ts'
import type { Services } from '../services.ts'

/**
 * A link that anybody may follow for some minutes, so that a browser can fetch a file without a bearer. It is built from BASE_URL,
 * never from what the request says of its host.
 */
export function downloadLink({ keys, clock, config }: Pick<Services, 'keys' | 'clock' | 'config'>, path: string) {
  const expires = Math.floor(clock.now().getTime() / 1000) + downloadLinkSeconds
  const query = new URLSearchParams({
    expires: String(expires),
    signature: keys.digest(purpose, signed(path, expires))
  })
  return { url: `${config.BASE_URL}${path}?${query}`, expires_in: downloadLinkSeconds }
}

/** Whether this path was signed by us, until a time that is still to come. */
export function isSigned(
  { keys, clock }: Pick<Services, 'keys' | 'clock'>,
  path: string,
  { expires, signature }: { expires?: unknown; signature?: unknown }
): boolean {
  if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires)) return false
  if (Number(expires) * 1000 <= clock.now().getTime()) return false
  return keys.digests(purpose, signed(path, Number(expires))).some(digest => sameSecret(digest, signature))
}

const purpose = 'download'

function signed(path: string, expires: number): string {
  return `${path}\n${expires}`
}
