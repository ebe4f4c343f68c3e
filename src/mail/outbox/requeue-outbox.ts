import type { Db } from '../../core/db.ts'
import type { JobRunner } from '../../core/jobs.ts'

const batchSize = 500

/**
 * Gives each queued e-mail a new job with all its attempts, in the transaction `db`; existing jobs are removed. For a database restored from
 * another one, whose jobs were not copied. Returns how many e-mails are queued.
 */
export async function requeueOutbox(db: Db, jobs: Pick<JobRunner, 'send' | 'clear'>): Promise<number> {
  await jobs.clear(db, 'deliver-message')
  let requeued = 0
  for (let last = 0; ; ) {
    const batch = await db
      .selectFrom('outbox_messages')
      .where('state', '=', 'queued')
      .where('id', '>', last)
      .select('id')
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const { id } of batch) {
      await db.updateTable('outbox_messages').set({ attempts: 0 }).where('id', '=', id).execute()
      await jobs.send(db, 'deliver-message', { messageId: id })
    }
    requeued += batch.length
    if (batch.length < batchSize) return requeued
    last = batch.at(-1)!.id
  }
}
