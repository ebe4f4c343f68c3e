import { setTimeout as pause } from 'node:timers/promises'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { mailReader } from '../../platform/mail-reading/mail-reader.ts'
import { type MailServices, processMail } from './process-mail.ts'

const pollMilliseconds = 5_000
/** The process that stored a mail settles it at once; after this time another may. */
const leftAfterSeconds = 30
const batchSize = 20

/** Settles stored mails that were left unsettled because their process died or the database went away, until `signal` is aborted. */
export async function keepProcessing(services: Services, signal: AbortSignal): Promise<void> {
  const reader = mailReader()
  while (!signal.aborted) {
    await processPending({ ...services, mailReader: reader }).catch(error =>
      services.log.warn({ err: error }, 'Incoming e-mails are waiting to be processed')
    )
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
  await reader.close()
}

/** Settles mails that were left, oldest first; returns how many there were. One that fails is retried later and blocks no other. */
export async function processPending(services: MailServices): Promise<number> {
  const { db, clock, log } = services
  let count = 0
  for (const mail of await leftMails(db, { before: secondsAfter(clock.now(), -leftAfterSeconds) })) {
    try {
      await processMail(services, mail)
      count++
    } catch (error) {
      log.warn({ err: error, mailId: mail.id }, 'An incoming e-mail could not be processed yet')
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
