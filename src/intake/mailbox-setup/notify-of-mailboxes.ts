import { setTimeout as pause } from 'node:timers/promises'
import { prepared, transaction } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import { secondsAfter } from '../../lib/time.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { languageOf } from '../../mail/outbox/localized-email.ts'
import { admins } from '../mailbox/mail-limits.ts'
import { faultSentence } from './fault-sentence.ts'
import { type StateOfMailbox, statesOfMailboxes } from './state-of-mailbox.ts'

type NotifyingServices = Pick<Services, 'db' | 'keys' | 'config' | 'jobs' | 'clock' | 'realClock'>

const pollMilliseconds = 30_000
/** A shorter outage is not worth an e-mail: servers are restarted. */
const brokenSeconds = 300

/**
 * Tells admins of each connected mailbox that has been broken for five minutes, and once more when it works again. Each of the two is told once per
 * outage, whichever process sees it first. Returns how many mailboxes it has told of.
 */
export async function notifyOfMailboxes(services: NotifyingServices): Promise<number> {
  const now = services.realClock.now()
  let told = 0
  for (const { mailbox, state } of await statesOfMailboxes(services)) {
    const { failingSince } = state
    const isBroken =
      state.state === 'failing' && failingSince !== null && secondsAfter(failingSince, brokenSeconds) <= now
    const isOver = state.state === 'working' || !mailbox.is_active
    if (isBroken && mailbox.told_at === null) told += await tell(services, mailbox, state, now)
    else if (isOver && mailbox.told_at !== null) told += await tell(services, mailbox, undefined, now)
  }
  return told
}

/** `failing`: what is wrong; undefined if it works again. Returns 0 if another process has told it. */
async function tell(
  services: NotifyingServices,
  mailbox: ConnectedMailboxRow,
  failing: StateOfMailbox | undefined,
  now: Date
): Promise<number> {
  const { id, address } = mailbox
  return await transaction(services.db, async db => {
    const isBroken = failing !== undefined
    const [marked] = isBroken ? await markTold(db, { id, now }) : await unmarkTold(db, { id })
    if (!marked) return 0
    for (const { id: staff, email: recipient } of await admins(db, {})) {
      const reader = { population: 'staff' as const, id: staff }
      const error = failing ? faultSentence(mailbox, failing, await languageOf(db, reader)) : ''
      await addToOutbox(services, db, {
        kind: 'staff-mailbox',
        channel: 'mail',
        recipient,
        reader,
        email: {
          template: 'staff-mailbox',
          values: {
            'mailbox.address': address,
            'mailbox.error': error,
            'mailbox.link': `${services.config.BASE_URL}/desk/settings/email/${id}`,
            broken: isBroken,
            working: !isBroken
          }
        }
      })
    }
    return 1
  })
}

/** The same every half minute, until `signal` is aborted. Any number of processes may do so. */
export async function keepNotifyingOfMailboxes(
  services: NotifyingServices & Pick<Services, 'log'>,
  signal: AbortSignal
): Promise<void> {
  while (!signal.aborted) {
    await notifyOfMailboxes(services).catch(error =>
      services.log.warn({ err: error }, 'Admins are not told yet how mailboxes do')
    )
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
}

const markTold = prepared((db, p: { id: number; now: Date }) =>
  db
    .updateTable('connected_mailboxes')
    .where('id', '=', p.id)
    .where('told_at', 'is', null)
    .set({ told_at: p.now })
    .returning('id')
)

const unmarkTold = prepared((db, p: { id: number }) =>
  db
    .updateTable('connected_mailboxes')
    .where('id', '=', p.id)
    .where('told_at', 'is not', null)
    .set({ told_at: null })
    .returning('id')
)
