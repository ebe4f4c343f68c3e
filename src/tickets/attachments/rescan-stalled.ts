import type { Services } from '../../core/services.ts'

/** Longer than all retries of a job together. */
const stalledAfterMilliseconds = 12 * 3_600_000
const batchSize = 1_000

/**
 * Starts a new job for files that still wait for the scanner after half a day: the former job has given up, or was left behind when the
 * rows came from another database. Returns their number.
 */
export async function rescanStalled({ db, jobs, clock }: Pick<Services, 'db' | 'jobs' | 'clock'>): Promise<number> {
  const forgotten = await db
    .selectFrom('ticket_attachments')
    .where('scan_state', '=', 'pending')
    .where('created_at', '<=', new Date(clock.now().getTime() - stalledAfterMilliseconds))
    .select('id')
    .orderBy('id')
    .limit(batchSize)
    .execute()
  for (const { id } of forgotten) await jobs.send(db, 'scan-attachment', { attachmentId: id })
  return forgotten.length
}
