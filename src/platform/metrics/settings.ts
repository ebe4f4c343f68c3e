import { integer, optional, secret, text, Unfit } from '../../lib/setting.ts'

/** What those who watch a process are told, and where. */
export const signalSettings = {
  METRICS_TOKEN: secret(
    'Whoever sends it as a bearer may fetch /metrics: 16 characters or more. Without it and METRICS_PORT there is none.',
    metricsToken
  ),
  METRICS_PORT: optional(
    'A port of its own for /metrics, /livez and /readyz; PORT has no /metrics then, and without METRICS_TOKEN none is asked.',
    integer(0, 0, 65535, '').read
  ),
  METRICS_HOST: text('127.0.0.1', () => '127.0.0.1', 'The address or host name on which METRICS_PORT is.'),
  MAX_OUTBOX_AGE_SECONDS: integer(
    900,
    0,
    86400,
    'An e-mail that nobody has tried to deliver for so long makes "deskline doctor" fail and the /readyz of "deskline worker" say no; 0 never does.'
  ),
  READY_DRAIN_SECONDS: integer(
    0,
    0,
    300,
    'After SIGTERM requests are taken for so long while /readyz says no, so that a load balancer can look elsewhere.'
  )
}

function metricsToken(given: string): string {
  if (/^[\x21-\x7e]{16,}$/.test(given)) return given
  throw new Unfit('must have at least 16 characters, without blanks and accents')
}
