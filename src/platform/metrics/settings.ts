import { InvalidSetting, integer, optional, secret, text } from '../../lib/setting.ts'

/** The settings of health checks and metrics. */
export const monitoringSettings = {
  METRICS_TOKEN: secret(
    'The bearer token for /metrics: 16 characters or more. Without it and METRICS_PORT there is no /metrics.',
    metricsToken
  ),
  METRICS_PORT: optional(
    'A separate port for /metrics, /livez and /readyz. PORT then serves no /metrics, and METRICS_TOKEN is optional.',
    integer(0, 0, 65535, '').read
  ),
  METRICS_HOST: text('127.0.0.1', () => '127.0.0.1', 'The address or host name to listen on at METRICS_PORT.'),
  MAX_OUTBOX_AGE_SECONDS: integer(
    900,
    0,
    86400,
    'If an e-mail waits longer than this without a delivery attempt, "deskline doctor" fails and /readyz of "deskline worker" returns 503; 0 turns this off.'
  ),
  READY_DRAIN_SECONDS: integer(
    0,
    0,
    300,
    'After SIGTERM the service accepts requests for this long while /readyz returns 503, so that a load balancer can remove it.'
  )
}

function metricsToken(given: string): string {
  if (/^[\x21-\x7e]{16,}$/.test(given)) return given
  throw new InvalidSetting('must have at least 16 characters, without blanks and accents')
}
