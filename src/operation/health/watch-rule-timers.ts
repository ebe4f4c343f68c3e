import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'

const pollMilliseconds = 1_000
const answerWithinMilliseconds = 2_000

/** Adds the metric of how late the timers of rules are (R9); every process of an installation reports the same. */
export function watchRuleTimers({ metrics, db, clock }: Pick<Services, 'metrics' | 'db' | 'clock'>): void {
  const look = cached(pollMilliseconds, () =>
    withTimeout(answerWithinMilliseconds, oldestTimer(db, {})).catch(() => undefined)
  )
  new Gauge({
    name: 'deskline_rule_timer_lag_seconds',
    help: 'How long the timer of a rule has been due that has waited longest.',
    registers: [metrics.registry],
    async collect() {
      const timers = await look()
      const due = timers?.[0]?.due_at
      if (timers) this.set(due ? Math.max(0, clock.now().getTime() - due.getTime()) / 1000 : 0)
    }
  })
}

const oldestTimer = prepared(db => db.selectFrom('rule_timers').select('due_at').orderBy('due_at').limit(sql.lit(1)))
