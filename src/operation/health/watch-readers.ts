import { Gauge } from 'prom-client'
import { type ReaderLag, readerLags } from '../../core/events/follow-log.ts'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'

const pollMilliseconds = 1_000
const answerWithinMilliseconds = 2_000

/** Adds metrics of how far each reader is behind the log; every process of an installation reports the same. */
export function watchReaders({ metrics, db, clock }: Pick<Services, 'metrics' | 'db' | 'clock'>): void {
  const look = cached(pollMilliseconds, () =>
    withTimeout(answerWithinMilliseconds, readerLags(db, {})).catch(() => undefined)
  )
  function measure(name: string, help: string, measured: (lag: ReaderLag) => number) {
    new Gauge({
      name,
      help,
      labelNames: ['reader'],
      registers: [metrics.registry],
      async collect() {
        const lags = await look()
        this.reset()
        for (const lag of lags ?? []) this.set({ reader: lag.name }, measured(lag))
      }
    })
  }

  measure(
    'deskline_event_reader_lag_events',
    'Events of the log that a reader has not handled yet.',
    ({ events }) => events
  )
  measure(
    'deskline_event_reader_lag_seconds',
    'How long the oldest event has waited that a reader has not handled yet.',
    ({ oldest }) => (oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000 : 0)
  )
}
