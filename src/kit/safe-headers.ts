import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

const yearSeconds = 365 * 86_400

/** What browsers are told with every answer, by name in small letters. `hsts`: that they shall come by HTTPS alone. */
export function safeHeaders({ hsts = false } = {}): Record<string, string> {
  const set = helmet({
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
    // Other services under the same domain are not ours to speak for.
    strictTransportSecurity: hsts && { maxAge: yearSeconds, includeSubDomains: false },
    xFrameOptions: { action: 'deny' }
  })
  // They are the same for every request, so helmet is asked once.
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  set(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}
