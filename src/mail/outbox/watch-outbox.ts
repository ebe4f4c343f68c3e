import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'

const pollMilliseconds = 1_000
const answerWithinMilliseconds = 2_000

interface Waiting {
  channel: 'mail' | 'text'
  /** `new` e-mails have not been tried yet, `retrying` ones have failed at least once. */
  state: 'new' | 'retrying'
  depth: number
  oldest: Date
}

/** Adds metrics of the queue: its length, its age, and whether the database responds. Every process of an installation reports the same. */
export function watchOutbox({ metrics, db, clock }: Pick<Services, 'metrics' | 'db' | 'clock'>): void {
  const registers = [metrics.registry]
  const labelNames = ['channel', 'state'] as const
  const look = cached(pollMilliseconds, () =>
    withTimeout(answerWithinMilliseconds, waitingMessages(db)).catch(() => undefined)
  )
  const observe = async (gauge: Gauge<'channel' | 'state'>, value: (waiting: Waiting | undefined) => number) => {
    const waiting = await look()
    // Rather no value than a stale one.
    gauge.reset()
    if (!waiting) return
    for (const channel of ['mail', 'text'] as const) {
      for (const state of ['new', 'retrying'] as const) {
        const found = waiting.find(each => each.channel === channel && each.state === state)
        gauge.set({ channel, state }, value(found))
      }
    }
  }

  new Gauge({
    name: 'deskline_database_up',
    help: 'Whether the database answers.',
    registers,
    async collect() {
      this.set((await look()) ? 1 : 0)
    }
  })
  new Gauge({
    name: 'deskline_outbox_messages',
    help: 'Mail and texts that wait for their delivery.',
    labelNames,
    registers,
    collect() {
      return observe(this, waiting => waiting?.depth ?? 0)
    }
  })
  new Gauge({
    name: 'deskline_outbox_oldest_seconds',
    help: 'The age of the oldest of them.',
    labelNames,
    registers,
    collect() {
      const now = clock.now().getTime()
      return observe(this, waiting => (waiting ? Math.max(0, now - waiting.oldest.getTime()) / 1000 : 0))
    }
  })
}

async function waitingMessages(db: Services['db']): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select channel, case when attempts = 0 then 'new' else 'retrying' end as state, count(*) as depth, min(created_at) as oldest
    from outbox_messages where state = 'queued' group by 1, 2`.execute(db)
  return rows
}
