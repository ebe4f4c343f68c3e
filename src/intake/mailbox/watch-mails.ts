import { Gauge } from 'prom-client'
import type { Services } from '../../core/services.ts'
import { cached } from '../../lib/cached.ts'
import { withTimeout } from '../../lib/timeout.ts'
import { type InboundChannel, inboundChannels, type ListedMailbox, mailboxesOf } from './mailbox-list.ts'

const pollMilliseconds = 1_000
const answerWithinMilliseconds = 2_000

/** Adds metrics of incoming e-mail; every process of an installation reports the same. */
export function watchMails(services: Pick<Services, 'metrics' | 'db' | 'clock' | 'realClock' | 'config'>): void {
  const registers = [services.metrics.registry]
  const look = cached(pollMilliseconds, () =>
    withTimeout(answerWithinMilliseconds, Promise.all([inboundChannels(services), mailboxesOf(services)])).catch(
      () => undefined
    )
  )

  new Gauge({
    name: 'deskline_inbound_mails',
    help: 'E-mails that came in and are not read yet, or that are held until staff decide.',
    labelNames: ['via', 'state'],
    registers,
    async collect() {
      const found = await look()
      // Rather no value than a stale one.
      this.reset()
      for (const { via, waiting, held } of found?.[0] ?? []) {
        this.set({ via, state: 'received' }, waiting)
        this.set({ via, state: 'held' }, held)
      }
    }
  })
  ofWay(
    'deskline_inbound_mail_oldest_seconds',
    'How long the oldest stored e-mail has waited to be read.',
    way => way.oldestSeconds
  )
  ofWay('deskline_inbound_mail_last_timestamp_seconds', 'When the last e-mail came in.', ({ lastMailAt }) =>
    lastMailAt ? lastMailAt.getTime() / 1000 : undefined
  )
  ofMailbox('deskline_mailbox_up', 'Whether the mailbox is being emptied.', ({ status }) =>
    status === 'working' ? 1 : 0
  )
  ofMailbox(
    'deskline_mailbox_unread_mails',
    'What was left in the mailbox at the last look.',
    ({ state }) => state?.unread_mails
  )
  ofMailbox('deskline_mailbox_lag_seconds', 'How long e-mails may have waited in the mailbox.', box => box.lagSeconds)

  function ofWay(name: string, help: string, measured: (way: InboundChannel) => number | undefined): void {
    new Gauge({
      name,
      help,
      labelNames: ['via'],
      registers,
      async collect() {
        const found = await look()
        this.reset()
        for (const way of found?.[0] ?? []) {
          const value = measured(way)
          if (value !== undefined) this.set({ via: way.via }, value)
        }
      }
    })
  }

  function ofMailbox(name: string, help: string, measured: (mailbox: ListedMailbox) => number | undefined): void {
    new Gauge({
      name,
      help,
      labelNames: ['mailbox'],
      registers,
      async collect() {
        const found = await look()
        this.reset()
        for (const mailbox of found?.[1] ?? []) {
          const value = measured(mailbox)
          if (value !== undefined) this.set({ mailbox: mailbox.address.name }, value)
        }
      }
    })
  }
}
