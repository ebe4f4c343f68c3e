import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import { secondsAfter } from '../../lib/time.ts'
import { connectedMailboxes } from '../../mail/mailboxes/connected-mailboxes.ts'
import { hasSecret, stateNameOf } from '../../mail/mailboxes/servers-of-mailbox.ts'
import type { MailboxReason } from '../../platform/mail/mailbox-fault.ts'
import { type MailboxState, mailboxStates } from '../mailbox/mailboxes.ts'

/** How a connected mailbox does. */
export interface StateOfMailbox {
  state: 'starting' | 'working' | 'failing'
  /** One sentence without secrets. */
  lastError: string | null
  lastErrorCode: MailboxReason | null
  failingSince: Date | null
  lagSeconds: number
  /** What ends within fourteen days, or has ended. */
  ending: { what: 'sign_in' | 'client_secret'; at: string } | null
  waitingEmails: number
  fetch: MailboxState | undefined
}

const toldBeforeSeconds = 14 * 86_400
/** Without a process that looks into it, a mailbox has not worked for this long. */
const unattendedSeconds = 180

/** All connected mailboxes, and how each does. */
export async function statesOfMailboxes(
  services: Pick<Services, 'db' | 'keys' | 'realClock' | 'config'>
): Promise<{ mailbox: ConnectedMailboxRow; state: StateOfMailbox }[]> {
  const mailboxes = await connectedMailboxes(services.db)
  if (mailboxes.length === 0) return []
  const fetches = await mailboxStates(services.db)
  const waiting = await waitingEmails(services.db, {})
  return mailboxes.map(mailbox => ({
    mailbox,
    state: stateOf(services, mailbox, fetches, waiting.find(row => row.id === mailbox.id)?.waiting ?? 0)
  }))
}

/** The same of one. */
export async function stateOfMailbox(
  services: Pick<Services, 'db' | 'keys' | 'realClock' | 'config'>,
  { id }: Pick<ConnectedMailboxRow, 'id'>
): Promise<StateOfMailbox> {
  return (await statesOfMailboxes(services)).find(({ mailbox }) => mailbox.id === id)!.state
}

function stateOf(
  services: Pick<Services, 'keys' | 'realClock' | 'config'>,
  mailbox: ConnectedMailboxRow,
  fetches: readonly MailboxState[],
  waiting: number
): StateOfMailbox {
  const now = services.realClock.now()
  const named = (name: string) => fetches.find(each => each.name === name)
  const fetch = mailbox.imap ? named(stateNameOf(mailbox)) : undefined
  const spam = mailbox.imap && mailbox.spam_folder !== null ? named(stateNameOf(mailbox, 'spam')) : undefined
  const failing = [fetch, spam].find(each => each?.failing_since)
  const since = [fetch?.oldest_unread_at, fetch?.failing_since].flatMap(time => time?.getTime() ?? [])
  const common = {
    fetch,
    lagSeconds: since.length === 0 ? 0 : Math.max(0, Math.round((now.getTime() - Math.min(...since)) / 1000)),
    ending: endingOf(mailbox, now),
    waitingEmails: waiting
  }
  const as = (state: StateOfMailbox['state'], lastError: string | null, more: Partial<StateOfMailbox> = {}) => ({
    state,
    lastError,
    lastErrorCode: null,
    failingSince: null,
    ...common,
    ...more
  })

  const missing = missingSecret(services, mailbox)
  if (missing) return as('starting', missingSecrets[missing], { lastErrorCode: missing })
  if (mailbox.is_active && failing)
    return as('failing', failing.last_error, {
      lastErrorCode: failing.last_error_code,
      failingSince: failing.failing_since
    })
  if (mailbox.smtp_failing_since) return as('failing', mailbox.smtp_error, { failingSince: mailbox.smtp_failing_since })
  if (!mailbox.imap) return as(mailbox.sent_at ? 'working' : 'starting', null)
  if (!fetch?.looked_at) return as('starting', null)
  const lookedSeconds = services.config.IMAP_POLL_SECONDS + unattendedSeconds
  if (mailbox.is_active && secondsAfter(fetch.looked_at, lookedSeconds) < now)
    return as('failing', 'No process of Deskline looks into it', {
      lastErrorCode: 'unattended',
      failingSince: fetch.looked_at
    })
  return as('working', null)
}

const missingSecrets = {
  secrets_lost: 'Its secrets do not open with APP_SECRET: enter them again',
  not_signed_in: 'Nobody has signed in at the provider yet',
  no_password: 'It has no password yet'
} as const

function missingSecret(
  services: Pick<Services, 'keys'>,
  mailbox: ConnectedMailboxRow
): keyof typeof missingSecrets | null {
  try {
    if (hasSecret(services, mailbox)) return null
  } catch {
    return 'secrets_lost'
  }
  return mailbox.auth === 'oauth2' ? 'not_signed_in' : 'no_password'
}

function endingOf({ auth, sign_in_ends_at, secret_ends_at }: ConnectedMailboxRow, now: Date): StateOfMailbox['ending'] {
  if (auth !== 'oauth2') return null
  const ends = [
    { what: 'sign_in' as const, at: sign_in_ends_at },
    { what: 'client_secret' as const, at: secret_ends_at }
  ]
  const [first] = ends
    .flatMap(({ what, at }) => (at && at <= secondsAfter(now, toldBeforeSeconds) ? { what, at } : []))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
  return first ? { what: first.what, at: first.at.toISOString() } : null
}

/** The e-mails that wait for each mailbox whose server fails: their content is sealed, so those are counted that it has refused. */
const waitingEmails = prepared((db: Db) =>
  db
    .selectFrom('connected_mailboxes as mailbox')
    .where('mailbox.smtp_failing_since', 'is not', null)
    .select('mailbox.id')
    .select(
      sql<number>`(select count(*)::int from outbox_messages where state = 'queued'
        and last_answer like mailbox.address || ' cannot send: %')`.as('waiting')
    )
)
