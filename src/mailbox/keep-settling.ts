import { setTimeout as pause } from 'node:timers/promises'
import { type Db, prepared } from '../db.ts'
import { secondsAfter } from '../lib/time.ts'
import { mailReader } from '../platform/mail-reading/mail-reader.ts'
import type { Services } from '../services.ts'
import { type MailServices, settleMail } from './settle-mail.ts'

const lookEveryMilliseconds = 5_000
/** Whoever stored a mail settles it at once; later it is another's. */
const leftAfterSeconds = 30
const batchSize = 20

/** Settles the mails that somebody has stored and not settled, because the process died or the database went away, until `signal` is aborted. */
export async function keepSettling(services: Services, signal: AbortSignal): Promise<void> {
  const reader = mailReader()
  while (!signal.aborted) {
    await settleLeft({ ...services, mailReader: reader }).catch(error =>
      services.log.warn({ err: error }, 'Incoming e-mails are waiting to be processed')
    )
    await pause(lookEveryMilliseconds, undefined, { signal }).catch(() => {})
  }
  await reader.close()
}

/** Settles what was left, oldest first; answers how many there were. One that fails is left for later, and holds up no other. */
export async function settleLeft(services: MailServices): Promise<number> {
  const { db, clock, log } = services
  let count = 0
  for (const { id } of await leftMails(db, { before: secondsAfter(clock.now(), -leftAfterSeconds) })) {
    try {
      await settleMail(services, id)
      count++
    } catch (error) {
      log.warn({ err: error, mailId: id }, 'An incoming e-mail could not be processed yet')
    }
  }
  return count
}

const leftMails = prepared((db: Db, p: { before: Date }) =>
  db
    .selectFrom('inbound_mails')
    .where('state', '=', 'received')
    .where('received_at', '<', p.before)
    .select('id')
    .orderBy('attempts')
    .orderBy('received_at')
    .limit(batchSize)
)
