import { Gauge } from 'prom-client'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'
import { unindexedTexts } from './index-words.ts'

const pollMilliseconds = 1_000
const answerWithinMilliseconds = 2_000

/** Adds metrics of how far the index is behind; every process of an installation reports the same. */
export function watchSearch({ metrics, db }: Pick<Services, 'metrics' | 'db'>): void {
  const look = cached(pollMilliseconds, () =>
    withTimeout(answerWithinMilliseconds, unindexedTexts(db)).catch(() => undefined)
  )
  function measure(
    name: string,
    help: string,
    measured: (found: Awaited<ReturnType<typeof unindexedTexts>>) => number
  ) {
    new Gauge({
      name,
      help,
      registers: [metrics.registry],
      async collect() {
        const found = await look()
        this.reset()
        if (found) this.set(measured(found))
      }
    })
  }

  measure(
    'deskline_search_waiting_texts',
    'Tickets, messages and notes whose words for the search are still to be made, a thousand of each at most.',
    ({ texts }) => texts
  )
  measure(
    'deskline_search_oldest_seconds',
    'How long the oldest text has waited for its words.',
    ({ oldest_seconds }) => oldest_seconds
  )
}
