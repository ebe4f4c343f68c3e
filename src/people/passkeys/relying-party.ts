import { isIP } from 'node:net'
import type { Config } from '../../core/config.ts'
import { failure } from '../../kit/errors.ts'

export const PasskeysUnavailable = failure(409, 'passkeys_unavailable', 'This desk has no passkeys')

/** To whom browsers bind passkeys. */
interface RelyingParty {
  origin: string
  host: string
}

/** To whom browsers bind our passkeys: always what BASE_URL says, never what a request says. Throws `PasskeysUnavailable`. */
export function relyingParty(config: Pick<Config, 'BASE_URL'>): RelyingParty {
  const message = noPasskeysBecause(config)
  if (message) throw PasskeysUnavailable({ message })
  const { origin, hostname } = new URL(config.BASE_URL)
  return { origin, host: hostname }
}

/** The name to which passkeys are bound; undefined where this desk has none. */
export function passkeyHost(config: Pick<Config, 'BASE_URL'>): string | undefined {
  return noPasskeysBecause(config) === undefined ? new URL(config.BASE_URL).hostname : undefined
}

/** Why browsers make no passkeys for this desk, in one sentence; undefined if they do. */
export function noPasskeysBecause({ BASE_URL }: Pick<Config, 'BASE_URL'>): string | undefined {
  const { protocol, hostname } = new URL(BASE_URL)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return 'Passkeys need https and a name; this desk runs at an IP address'
  if (protocol === 'https:' || hostname === 'localhost') return undefined
  return 'Passkeys need https; the address of this desk begins with http://'
}
