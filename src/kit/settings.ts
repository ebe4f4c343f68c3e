import { proxies } from '../lib/proxies.ts'
import { integer, list, optional, origin } from '../lib/setting.ts'

/** Settings of CORS, proxies and connection timeouts. */
export const connectionSettings = {
  CORS_ORIGINS: list(
    'The origins (https://app.example.com) whose pages may call the service from a browser, separated by commas. ' +
      'Without any, no other origin may.',
    origin
  ),
  TRUST_PROXY: optional(
    'The number of reverse proxies in front of the service (1), or their addresses and ranges (10.0.0.0/8), separated by ' +
      'commas. Without it X-Forwarded-For is ignored; with it, only the entries that these proxies added are trusted.',
    proxies
  ),
  MAX_CONNECTIONS: integer(5000, 10, 1_000_000, 'Maximum number of open connections; beyond it, idle ones are closed.'),
  HEADERS_TIMEOUT_SECONDS: integer(15, 1, 600, 'The time limit for receiving the headers of a request.'),
  REQUEST_TIMEOUT_SECONDS: integer(900, 10, 86400, 'The time limit for receiving a whole request, files included.'),
  IDLE_TIMEOUT_SECONDS: integer(
    72,
    1,
    3600,
    'A connection without traffic is closed after this time. Must exceed the proxy’s keep-alive timeout and STATEMENT_TIMEOUT_SECONDS.'
  ),
  STALL_SECONDS: integer(
    20,
    1,
    600,
    'A caller that sends a body, or reads a response, more slowly than MIN_BYTES_PER_SECOND over this time is disconnected.'
  ),
  MIN_BYTES_PER_SECOND: integer(
    500,
    1,
    1_000_000,
    'The minimum speed at which a caller must send a body or read a response.'
  )
}

/**
 * Checks that the limits do not contradict each other: one sentence for each error. An invalid setting is undefined here, and no comparison with
 * it is true.
 */
export function connectionFaults(limits: {
  HEADERS_TIMEOUT_SECONDS: number
  REQUEST_TIMEOUT_SECONDS: number
  IDLE_TIMEOUT_SECONDS: number
  STATEMENT_TIMEOUT_SECONDS: number
}): string[] {
  const faults: string[] = []
  if (limits.HEADERS_TIMEOUT_SECONDS > limits.REQUEST_TIMEOUT_SECONDS) {
    faults.push('HEADERS_TIMEOUT_SECONDS must not be more than REQUEST_TIMEOUT_SECONDS')
  }
  if (limits.IDLE_TIMEOUT_SECONDS <= limits.STATEMENT_TIMEOUT_SECONDS) {
    faults.push('IDLE_TIMEOUT_SECONDS must be more than STATEMENT_TIMEOUT_SECONDS')
  }
  return faults
}
