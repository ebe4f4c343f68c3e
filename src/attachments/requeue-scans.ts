import type { Db } from '../db.ts'
import type { JobRunner } from '../jobs.ts'

const batchSize = 500

/**
 * Gives each file that waits for the scanner a job of its own, with the transaction `db`; whatever jobs there were are gone. For a
 * database whose rows came from another one, where the jobs stayed.
 */
export async function requeueScans(db: Db, jobs: Pick<JobRunner, 'send' | 'clear'>): Promise<void> {
  await jobs.clear(db, 'scan-attachment')
  for (let last = 0; ; ) {
    const batch = await db
      .selectFrom('ticket_attachments')
      .where('scan_state', '=', 'pending')
      .where('id', '>', last)
      .select('id')
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const { id } of batch) await jobs.send(db, 'scan-attachment', { attachmentId: id })
    if (batch.length < batchSize) return
    last = batch.at(-1)!.id
  }
}
