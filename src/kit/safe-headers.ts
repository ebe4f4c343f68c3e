import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

const yearSeconds = 365 * 86_400

/** The security headers of every response, by lower-case name. `hsts`: with Strict-Transport-Security. */
export function safeHeaders({ hsts = false } = {}): Record<string, string> {
  const set = helmet({
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
    // Without includeSubDomains: other services of the domain may have no HTTPS.
    strictTransportSecurity: hsts && { maxAge: yearSeconds, includeSubDomains: false },
    xFrameOptions: { action: 'deny' }
  })
  // They are the same for every request, so helmet runs once.
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  set(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}
