import { proxies } from '../lib/proxies.ts'
import { integer, list, optional, origin } from '../lib/setting.ts'

/** Who may call, from where, and how long a connection may take. */
export const connectionSettings = {
  CORS_ORIGINS: list(
    'The origins (https://app.example.com) whose pages may call the service from a browser, separated by commas. ' +
      'Without any, no other origin may.',
    origin
  ),
  TRUST_PROXY: optional(
    'How many proxies stand before the service (1), or their addresses and ranges (10.0.0.0/8), separated by commas: ' +
      'only then is X-Forwarded-For believed, and only what they say in it.',
    proxies
  ),
  MAX_CONNECTIONS: integer(
    5000,
    10,
    1_000_000,
    'Open connections at most; when there are more, those that idle are closed.'
  ),
  HEADERS_TIMEOUT_SECONDS: integer(15, 1, 600, 'The headers of a request must have come within this time.'),
  REQUEST_TIMEOUT_SECONDS: integer(900, 10, 86400, 'A whole request, with its files, must have come within this time.'),
  IDLE_TIMEOUT_SECONDS: integer(
    72,
    1,
    3600,
    'A connection on which nothing moves for this long is closed. More than a proxy waits, and than a database statement may take.'
  ),
  STALL_SECONDS: integer(
    20,
    1,
    600,
    'Who sends a body, or reads an answer, at less than MIN_BYTES_PER_SECOND over this time is cut off.'
  ),
  MIN_BYTES_PER_SECOND: integer(500, 1, 1_000_000, 'How fast a body must come, and an answer be read, at least.')
}

/** Limits that must not contradict one another, one sentence a fault; what could not be read is no number. */
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
