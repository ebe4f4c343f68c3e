import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { secondsAfter } from '../../lib/time.ts'
import { discardedReason, discardedSeconds } from './discard-mails.ts'

const daySeconds = 86_400
const batchSize = 1_000
const maxBatches = 100
/** E-mails about no ticket are kept for as long as bounces may arrive. */
const sentDays = 30

/**
 * Removes raw messages older than MAIL_RETENTION_DAYS, with the rows of mails that led to nothing. Held mails stay until somebody decides; the
 * raw messages of discarded mails are removed much sooner. The log has them for MAIL_LOG_DAYS.
 */
export async function sweepMails({ db, clock, config }: Pick<Services, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = secondsAfter(clock.now(), -config.MAIL_RETENTION_DAYS * daySeconds)
  await inBatches(() => removeRaw(db, { before }))
  await inBatches(() => removeDiscarded(db, { before: secondsAfter(clock.now(), -discardedSeconds) }))
  await inBatches(() => removeMails(db, { before }))
  await inBatches(() => removeLogged(db, { before: secondsAfter(clock.now(), -config.MAIL_LOG_DAYS * daySeconds) }))
  await inBatches(() => removeSent(db, { before: secondsAfter(clock.now(), -sentDays * daySeconds) }))
}

async function inBatches(next: () => Promise<unknown[]>): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) if ((await next()).length < batchSize) return
}

const removeRaw = removing(sql<boolean>`mail.state <> 'held'`)
const removeDiscarded = removing(sql<boolean>`mail.state = 'dropped' and mail.reason = ${sql.lit(discardedReason)}`)

/** Removes the raw messages of such mails. */
function removing(condition: RawBuilder<boolean>) {
  return prepared((db: Db, p: { before: Date }) =>
    db
      .deleteFrom('ticket_attachments')
      .where('id', 'in', eb =>
        eb
          .selectFrom('ticket_attachments as file')
          .innerJoin('inbound_mails as mail', 'mail.id', 'file.mail_id')
          .where('mail.settled_at', '<', p.before)
          .where(condition)
          .select('file.id')
          .limit(batchSize)
      )
      .returning('id')
  )
}

const removeMails = prepared((db: Db, p: { before: Date }) =>
  db
    .deleteFrom('inbound_mails')
    .where('id', 'in', eb =>
      eb
        .selectFrom('inbound_mails as mail')
        .where('mail.received_at', '<', p.before)
        .where('mail.state', 'in', ['bounce', 'dropped', 'refused'])
        .select('mail.id')
        .limit(batchSize)
    )
    .returning('id')
)

const removeLogged = prepared((db: Db, p: { before: Date }) =>
  db
    .deleteFrom('mail_log')
    .where('id', 'in', eb =>
      eb.selectFrom('mail_log').where('at', '<', p.before).select('id').orderBy('at').limit(batchSize)
    )
    .returning('id')
)

const removeSent = prepared((db: Db, p: { before: Date }) =>
  db
    .deleteFrom('sent_emails')
    .where('id', 'in', eb =>
      eb
        .selectFrom('sent_emails as sent')
        .where('sent.ticket_id', 'is', null)
        .where('sent.created_at', '<', p.before)
        .select('sent.id')
        .limit(batchSize)
    )
    .returning('id')
)
