import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

const yearSeconds = 365 * 86_400

/** What browsers are told with every answer, by name in small letters. `hsts`: that they shall come by HTTPS alone. */
export function safeHeaders({ hsts = false } = {}): Record<string, string> {
  const headers: Record<string, string> = {}
  const set = helmet({
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
    // Other services under the same domain are not ours to speak for.
    strictTransportSecurity: hsts && { maxAge: yearSeconds, includeSubDomains: false },
    xFrameOptions: { action: 'deny' }
  })
  // They are the same for every request, so helmet is asked once.
  const response = {
    setHeader(name: string, value: string) {
      headers[name.toLowerCase()] = value
    },
    removeHeader() {}
  }
  set({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return headers
}
