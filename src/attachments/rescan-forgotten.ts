import type { Services } from '../services.ts'

/** Longer than all tries of a job together. */
const forgottenAfterMilliseconds = 12 * 3_600_000
const batchSize = 1_000

/**
 * Gives files that still wait for the scanner after half a day a job anew: the one they had has given up, or stayed behind when the
 * rows came from another database. Answers how many there are.
 */
export async function rescanForgotten({ db, jobs, clock }: Pick<Services, 'db' | 'jobs' | 'clock'>): Promise<number> {
  const forgotten = await db
    .selectFrom('ticket_attachments')
    .where('scan_state', '=', 'pending')
    .where('created_at', '<=', new Date(clock.now().getTime() - forgottenAfterMilliseconds))
    .select('id')
    .orderBy('id')
    .limit(batchSize)
    .execute()
  for (const { id } of forgotten) await jobs.send(db, 'scan-attachment', { attachmentId: id })
  return forgotten.length
}
