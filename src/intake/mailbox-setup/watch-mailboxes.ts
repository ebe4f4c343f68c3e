import { Gauge } from 'prom-client'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'
import { statesOfMailboxes } from './state-of-mailbox.ts'

const pollMilliseconds = 1_000
const answerWithinMilliseconds = 2_000

/** Adds metrics of the mailboxes that admins have connected; every process of an installation reports the same. */
export function watchMailboxes(services: Pick<Services, 'metrics' | 'db' | 'keys' | 'realClock' | 'config'>): void {
  const look = cached(pollMilliseconds, () =>
    withTimeout(answerWithinMilliseconds, statesOfMailboxes(services)).catch(() => undefined)
  )
  type Found = Awaited<ReturnType<typeof statesOfMailboxes>>[number]
  gauge(
    'deskline_connected_mailbox_up',
    'Whether the connected mailbox works; a paused one counts as working.',
    found => (found.mailbox.is_active && found.state.state === 'failing' ? 0 : 1)
  )
  gauge('deskline_connected_mailbox_sends', 'Whether the connected mailbox sends.', ({ mailbox }) =>
    mailbox.smtp ? Number(mailbox.smtp_failing_since === null) : undefined
  )

  function gauge(name: string, help: string, measured: (found: Found) => number | undefined): void {
    new Gauge({
      name,
      help,
      labelNames: ['mailbox'],
      registers: [services.metrics.registry],
      async collect() {
        const all = await look()
        // Rather no value than a stale one.
        this.reset()
        for (const found of all ?? []) {
          const value = measured(found)
          if (value !== undefined) this.set({ mailbox: found.mailbox.address }, value)
        }
      }
    })
  }
}
