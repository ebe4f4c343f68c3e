import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of this process for Prometheus. Labels are few and our own: never a caller's input. */
export interface Metrics {
  registry: Registry
  requests: Counter<'method' | 'route' | 'status'>
  requestSeconds: Histogram<'route'>
  requestsInFlight: Gauge
  requestsTurnedAway: Counter
  /** Open event streams. */
  eventStreams: Gauge
  /** `outcome` is `sent`, `failed` (permanently) or `retried`. */
  deliveries: Counter<'channel' | 'outcome'>
  /** `outcome` is `delivered`, `failed` (permanently) or `retrying`. */
  webhookAttempts: Counter<'outcome'>
  /** By channel: a mail that could not be stored and is retried, or a mailbox that could not be used. */
  inboundMailFailures: Counter<'via'>
  /** `kind` is what was attempted, or `address` for the limit of a network address. */
  attemptLimits: Counter<'kind'>
  /** Sign-ins that failed because the identity provider did. */
  ssoFailures: Counter
}

/** Metrics in a registry of their own. `labels` are on every metric. */
export function makeMetrics(labels: Record<string, string> = {}): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels(labels)
  const metrics = countersIn(registry)
  // A counter starts at zero, not missing.
  for (const channel of ['mail', 'text']) {
    for (const outcome of ['sent', 'failed', 'retried']) metrics.deliveries.inc({ channel, outcome }, 0)
  }
  for (const outcome of ['delivered', 'failed', 'retrying']) metrics.webhookAttempts.inc({ outcome }, 0)
  for (const via of ['lmtp', 'smtp', 'imap', 'api']) metrics.inboundMailFailures.inc({ via }, 0)
  return metrics
}

function countersIn(registry: Registry): Metrics {
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'deskline_http_requests_total',
      help: 'Requests that were answered, by the pattern of their address.',
      labelNames: ['method', 'route', 'status'],
      registers
    }),
    requestSeconds: new Histogram({
      name: 'deskline_http_request_seconds',
      help: 'From the arrival of a request to the end of its answer.',
      labelNames: ['route'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers
    }),
    requestsInFlight: new Gauge({
      name: 'deskline_http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers
    }),
    eventStreams: new Gauge({
      name: 'deskline_event_streams',
      help: 'Streams of events that somebody listens to.',
      registers
    }),
    requestsTurnedAway: new Counter({
      name: 'deskline_http_requests_turned_away_total',
      help: 'Requests answered 503 at once because too many waited for the database (MAX_WAITING_REQUESTS).',
      registers
    }),
    deliveries: new Counter({
      name: 'deskline_outbox_deliveries_total',
      help: 'Attempts to deliver mail and texts: sent, failed for good, or retried later.',
      labelNames: ['channel', 'outcome'],
      registers
    }),
    webhookAttempts: new Counter({
      name: 'deskline_webhook_attempts_total',
      help: 'Attempts to deliver to webhooks: delivered, failed for good, or retried later.',
      labelNames: ['outcome'],
      registers
    }),
    inboundMailFailures: new Counter({
      name: 'deskline_inbound_mail_failures_total',
      help: 'Times that an e-mail could not be taken in and is tried again, or that a mailbox could not be used.',
      labelNames: ['via'],
      registers
    }),
    attemptLimits: new Counter({
      name: 'deskline_attempt_limit_hits_total',
      help: 'Attempts answered 429, by what was attempted.',
      labelNames: ['kind'],
      registers
    }),
    ssoFailures: new Counter({
      name: 'deskline_sso_failures_total',
      help: 'Sign-ins that failed because the identity provider did not answer as it has to.',
      registers
    })
  }
}
