import type { Db } from '../db.ts'
import type { JobRunner } from '../jobs.ts'

const batchSize = 500

/**
 * Gives each queued e-mail a job of its own and all its tries again, with the transaction `db`; whatever jobs there were are gone.
 * For a database whose rows came from another one, where the jobs stayed. Answers how many e-mails wait.
 */
export async function requeueOutbox(db: Db, jobs: Pick<JobRunner, 'send' | 'clear'>): Promise<number> {
  await jobs.clear(db, 'deliver-letter')
  let requeued = 0
  for (let last = 0; ; ) {
    const batch = await db
      .selectFrom('letters')
      .where('state', '=', 'queued')
      .where('id', '>', last)
      .select('id')
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const { id } of batch) {
      await db.updateTable('letters').set({ attempts: 0 }).where('id', '=', id).execute()
      await jobs.send(db, 'deliver-letter', { letterId: id })
    }
    requeued += batch.length
    if (batch.length < batchSize) return requeued
    last = batch.at(-1)!.id
  }
}
