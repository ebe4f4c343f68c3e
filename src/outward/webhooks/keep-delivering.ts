import { setTimeout as pause } from 'node:timers/promises'
import { catchUpWithLog, followLog } from '../../core/events/follow-log.ts'
import { sequence } from '../../core/events/read-events.ts'
import { secondsAfter } from '../../lib/time.ts'
import { makeWakeSignal } from '../../lib/wake-signal.ts'
import { activeWebhooks, claimDue } from './claims.ts'
import { deliver, type Sender } from './deliver.ts'
import { disableWebhook } from './disable-webhook.ts'
import { queueMissed, webhookReader } from './queue-deliveries.ts'

const pollMilliseconds = 1_000
/** Concurrent attempts of one webhook per process. The number of webhooks bounds the total. */
const atOnce = 5
/** A webhook is turned off after failing for this long without a success. */
const failingSeconds = 5 * 86_400
/** When the process stops, running attempts are given this time; then another process retries them. */
const graceMilliseconds = 4_000

type Target = Awaited<ReturnType<typeof activeWebhooks>>[0]

/** Queues and delivers webhook events until `signal` is aborted. Any number of processes may run this at the same time. */
export async function keepDelivering(services: Sender, signal: AbortSignal): Promise<void> {
  const deliveries = makeDeliveries(services)
  const following = followLog(services, webhookReader(services, deliveries.wake), signal)
  signal.addEventListener('abort', deliveries.wake)
  while (!signal.aborted) {
    await deliveries.pass().catch(error => services.log.warn({ err: error }, 'Webhooks are waiting to be delivered'))
    await deliveries.awake(pollMilliseconds)
  }
  await following
  await deliveries.stop()
}

/** Delivers what is due now, and what follows from that at once. Returns how many attempts were made. */
export async function deliverDue(services: Sender): Promise<number> {
  await sequence(services)
  await catchUpWithLog(services.db, webhookReader(services))
  const deliveries = makeDeliveries(services)
  let attempts = 0
  for (;;) {
    const started = await deliveries.pass()
    attempts += started
    await deliveries.idle()
    if (started === 0) return attempts
  }
}

/** Each webhook has its own bound, so that a receiver that hangs delays no other. */
function makeDeliveries(services: Sender) {
  const { db, realClock } = services
  const running = new Map<number, number>()
  const attempts = new Set<Promise<void>>()
  const stopping = new AbortController()
  const wakeSignal = makeWakeSignal()
  const wake = wakeSignal.wake

  const start = (webhook: Target, attempt: Promise<void>) => {
    running.set(webhook.id, (running.get(webhook.id) ?? 0) + 1)
    const settled = attempt
      .catch(error =>
        services.log.warn({ err: error, webhookId: webhook.id }, 'A webhook delivery attempt could not be recorded')
      )
      .finally(() => {
        attempts.delete(settled)
        running.set(webhook.id, running.get(webhook.id)! - 1)
        wake()
      })
    attempts.add(settled)
  }

  /** Starts the due attempts of a webhook, after queueing what it has missed; disables it after too many days of failures. */
  async function serve(webhook: Target, now: Date): Promise<number> {
    if (webhook.failing_since && webhook.failing_since <= secondsAfter(now, -failingSeconds)) {
      await disableWebhook(services, webhook.id, 'failing')
      return 0
    }
    if (webhook.misses && (await queueMissed(services, webhook.id))) wake()
    const free = atOnce - (running.get(webhook.id) ?? 0)
    if (free <= 0 || !(webhook.misses || webhook.hasDue)) return 0
    const claims = await claimDue(db, { webhook: webhook.id, most: free, now: realClock.now() })
    for (const claim of claims) start(webhook, deliver(services, webhook, claim, stopping.signal))
    return claims.length
  }

  return {
    wake,

    /**
     * Starts due attempts of every webhook within the bound. Returns how many it started. If that fails for a webhook, the others have their turn
     * first; then it throws.
     */
    async pass(): Promise<number> {
      const now = realClock.now()
      const faults: unknown[] = []
      let begun = 0
      for (const webhook of await activeWebhooks(db, now)) {
        try {
          begun += await serve(webhook, now)
        } catch (error) {
          faults.push(error)
        }
      }
      if (faults.length > 0) throw new AggregateError(faults, `Webhooks that could not be served: ${faults.length}`)
      return begun
    },

    /** Resolves when another pass is needed, at the latest after the given time. */
    awake: wakeSignal.wait,

    async idle(): Promise<void> {
      await Promise.all(attempts)
    },

    async stop(): Promise<void> {
      const timer = new AbortController()
      const grace = pause(graceMilliseconds, undefined, { signal: timer.signal }).catch(() => {})
      await Promise.race([Promise.all(attempts), grace])
      timer.abort()
      stopping.abort()
      await Promise.all(attempts)
    }
  }
}
