import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'
import { unansweredSince } from '../../tickets/ticket/unanswered.ts'

/** Each looks at all open tickets, so that it is not done at every scrape of every process. */
const pollMilliseconds = 15_000
const answerWithinMilliseconds = 5_000

/** Adds metrics of the tickets that wait; every process of an installation reports the same. */
export function watchTickets({ metrics, db, clock }: Pick<Services, 'metrics' | 'db' | 'clock'>): void {
  const look = cached(pollMilliseconds, () =>
    withTimeout(answerWithinMilliseconds, waiting(db, {})).catch(() => undefined)
  )
  function measure(name: string, help: string, measured: (found: Waiting) => number) {
    new Gauge({
      name,
      help,
      registers: [metrics.registry],
      async collect() {
        const [found] = (await look()) ?? []
        if (found) this.set(measured(found))
      }
    })
  }

  measure('deskline_tickets_open', 'Tickets that are not closed.', ({ open }) => open)
  measure(
    'deskline_tickets_unanswered',
    'Open tickets in which a message of the client has had no answer.',
    ({ unanswered }) => unanswered
  )
  measure(
    'deskline_oldest_unanswered_seconds',
    'How long the message has waited for an answer that has waited longest.',
    ({ oldest }) => (oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000 : 0)
  )
  measure('deskline_sla_breached', 'SLA clocks that are late and still run or stand.', ({ breached }) => breached)
  measure(
    'deskline_reports_backlog_difference',
    'Tickets that are open by the reports and not by the sums of tickets, or the other way round, when both were compared last.',
    ({ difference }) => difference
  )
}

type Waiting = Awaited<ReturnType<typeof waiting>>[number]

const waiting = prepared((db: Db) =>
  db
    .selectFrom(
      db
        .selectFrom('tickets')
        .where('status', '<>', sql.lit('Closed' as const))
        .where('trashed_at', 'is', null)
        .where('merged_into_id', 'is', null)
        .select(unansweredSince.as('since'))
        .as('open_tickets')
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('open'),
      fn.count<number>('since').as('unanswered'),
      fn.min<Date | null>('since').as('oldest'),
      // In the trash clocks stand, and nobody waits (S15).
      sql<number>`(select count(*) from sla_clocks join tickets on tickets.id = ticket_id
        where ended_at is null and breached_at is not null and trashed_at is null)`.as('breached'),
      sql<number>`(select backlog_difference from report_state)`.as('difference')
    ])
)
