import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'

const pollMilliseconds = 1_000
const answerWithinMilliseconds = 2_000

/** Adds metrics of webhooks; every process of an installation reports the same. */
export function watchWebhooks({ metrics, db, realClock }: Pick<Services, 'metrics' | 'db' | 'realClock'>): void {
  const registers = [metrics.registry]
  const look = cached(pollMilliseconds, () =>
    withTimeout(answerWithinMilliseconds, standingOf(db)).catch(() => undefined)
  )
  function count(name: string, help: string, states: readonly (keyof Standing)[]) {
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers,
      async collect() {
        const found = await look()
        this.reset()
        if (found) for (const state of states) this.set({ state }, Number(found[state]))
      }
    })
  }
  function measure(name: string, help: string, measured: (found: Standing) => number) {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const found = await look()
        this.reset()
        if (found) this.set(measured(found))
      }
    })
  }

  count(
    'deskline_webhooks',
    'Webhooks that are on, that are on and whose attempts fail, and that Deskline has turned off because of that.',
    ['on', 'failing', 'disabled']
  )
  count(
    'deskline_webhook_deliveries',
    'Deliveries that wait for their first attempt, that wait for another one, and that failed for good and are still kept.',
    ['queued', 'retrying', 'failed']
  )
  measure(
    'deskline_webhook_oldest_seconds',
    'How long the oldest delivery has waited for its first attempt.',
    ({ oldest }) => (oldest ? Math.max(0, realClock.now().getTime() - oldest.getTime()) / 1000 : 0)
  )
}

type Standing = Awaited<ReturnType<typeof standingOf>>

async function standingOf(db: Services['db']) {
  const { rows } = await sql<{
    on: number
    failing: number
    disabled: number
    queued: number
    retrying: number
    failed: number
    oldest: Date | null
  }>`select count(*) filter (where is_active) as on,
      count(*) filter (where is_active and failing_since is not null) as failing,
      count(*) filter (where not is_active and disabled_reason is not null) as disabled,
      (select count(*) from webhook_deliveries where settled_at is null and state = 'queued') as queued,
      (select count(*) from webhook_deliveries where settled_at is null and state = 'retrying') as retrying,
      (select count(*) from webhook_deliveries where settled_at is not null and state = 'failed') as failed,
      (select min(created_at) from webhook_deliveries where state = 'queued') as oldest
    from webhooks`.execute(db)
  return rows[0]!
}
