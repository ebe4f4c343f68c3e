import type { Db } from '../../core/db.ts'
import type { JobRunner } from '../../core/jobs.ts'

const batchSize = 500

/**
 * Replaces all scan jobs by one for each file that waits for the scanner, within the transaction `db`. For a database whose rows came from
 * another one without its jobs.
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
