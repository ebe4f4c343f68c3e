import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { MailChannel } from '../../core/tables/mails.ts'
import type { ImapAddress } from '../../platform/mail/imap-address.ts'
import { type MailboxState, mailboxStates } from './mailboxes.ts'

/** The state of a mailbox. `starting`: not fetched yet; `unattended`: no process fetches it. */
type MailboxStatus = 'working' | 'failing' | 'starting' | 'unattended'

export interface ListedMailbox {
  address: ImapAddress
  status: MailboxStatus
  state: MailboxState | undefined
  lagSeconds: number
}

/** Every mailbox of IMAP_URL, and its state. */
export async function mailboxesOf({
  db,
  realClock,
  config
}: Pick<Services, 'db' | 'realClock' | 'config'>): Promise<ListedMailbox[]> {
  const states = await mailboxStates(db)
  const now = realClock.now()
  return (config.IMAP_URL ?? []).map(address => {
    const state = states.find(({ name }) => name === address.name)
    return { address, state, status: statusOf(state, now), lagSeconds: lagOf(state, now) }
  })
}

function statusOf(state: MailboxState | undefined, now: Date): MailboxStatus {
  if (state?.failing_since) return 'failing'
  const isAttended = state?.held_until != null && state.held_until >= now
  if (!isAttended) return 'unattended'
  return state.looked_at ? 'working' : 'starting'
}

/** How long mails may have waited in a mailbox: since the oldest unread one, or since fetching began to fail. */
function lagOf(state: Pick<MailboxState, 'oldest_unread_at' | 'failing_since'> | undefined, now: Date): number {
  const since = [state?.oldest_unread_at, state?.failing_since].flatMap(time => time?.getTime() ?? [])
  return since.length === 0 ? 0 : Math.max(0, Math.round((now.getTime() - Math.min(...since)) / 1000))
}

/** What came in by one channel. */
export interface InboundChannel {
  via: MailChannel
  /** Whether the settings enable it. */
  isOpen: boolean
  lastMailAt: Date | null
  waiting: number
  /** How long the oldest stored mail has waited to be settled. */
  oldestSeconds: number
  held: number
}

export const mailChannels = ['command', 'lmtp', 'smtp', 'imap', 'api'] as const satisfies MailChannel[]

/** Every inbound channel: whether it is enabled, its last mail, what waits and what is held. */
export async function inboundChannels({
  db,
  clock,
  config
}: Pick<Services, 'db' | 'clock' | 'config'>): Promise<InboundChannel[]> {
  const found = await countsByChannel(db)
  const now = clock.now().getTime()
  const isOpen: Record<MailChannel, boolean> = {
    command: true,
    lmtp: config.MAIL_LISTEN?.protocol === 'lmtp',
    smtp: config.MAIL_LISTEN?.protocol === 'smtp',
    imap: (config.IMAP_URL ?? []).length > 0,
    api: config.MAIL_INBOUND_SECRET !== undefined
  }
  return mailChannels.map(via => {
    const { last, waiting, oldest, held } = found.find(row => row.via === via)!
    const oldestSeconds = oldest ? Math.max(0, Math.round((now - oldest.getTime()) / 1000)) : 0
    return { via, isOpen: isOpen[via], lastMailAt: last, waiting, oldestSeconds, held }
  })
}

/** The last mail of a channel is searched from the newest on; waiting and held mails have an index of their own. */
async function countsByChannel(db: Db) {
  const { rows } = await sql<{
    via: MailChannel
    last: Date | null
    waiting: number
    oldest: Date | null
    held: number
  }>`
    select way.via,
      (select received_at from inbound_mails where via = way.via order by received_at desc limit 1) as last,
      coalesce(open.waiting, 0) as waiting, open.oldest, coalesce(open.held, 0) as held
    from unnest(${[...mailChannels]}::text[]) as way (via)
    left join (
      select via, count(*) filter (where state = 'received') as waiting, count(*) filter (where state = 'held') as held,
        min(received_at) filter (where state = 'received') as oldest
      from inbound_mails where state in ('received', 'held') group by via
    ) as open on open.via = way.via`.execute(db)
  return rows
}
