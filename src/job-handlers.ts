import { attachmentHandlers } from './attachments/jobs.ts'
import { authHandlers } from './auth/jobs.ts'
import { moveDepartment, resumeMoves } from './departments/move-department.ts'
import { scrubErased } from './erasure/scrub-erased.ts'
import { retireEvents } from './events/retire-events.ts'
import type { JobHandlers } from './jobs.ts'
import { secondsAfter } from './lib/time.ts'
import { sweepMails } from './mailbox/sweep-mails.ts'
import { outboxJobs } from './outbox/jobs.ts'
import { reasonOf } from './platform/db/wait-for-database.ts'
import { resetHandlers } from './reset/jobs.ts'
import { resumeRewrites, runRewrites } from './rewrites/run-rewrites.ts'
import type { Services } from './services.ts'
import { addUpTicketCounts } from './tickets/client-ticket-counts.ts'
import { sweepWebhooks } from './webhooks/sweep.ts'

const daySeconds = 86_400

/** What is done for each kind of job. */
export function jobHandlers(services: Services): JobHandlers {
  const { db, clock, config } = services
  const emails = outboxJobs(services)
  return {
    ...emails,
    ...authHandlers(services),
    ...resetHandlers(services),
    ...attachmentHandlers(services),
    'add-up-ticket-counts': () => addUpTicketCounts(db),
    'move-department': ({ departmentId }) => moveDepartment(services, departmentId),
    rewrite: () => runRewrites(services),
    sweep: (...job) =>
      doAll([
        () => emails.sweep(...job),
        () => resumeMoves(services),
        () => scrubErased(services),
        () => resumeRewrites(services),
        () => retireEvents(db, secondsAfter(clock.now(), -config.EVENT_RETENTION_DAYS * daySeconds)),
        () => sweepWebhooks(services),
        () => sweepMails(services)
      ])
  }
}

/** Does each part in turn, also after one has failed; then throws what failed. */
async function doAll(parts: (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const part of parts) await part().catch(error => errors.push(error))
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, errors.map(reasonOf).join('; '))
}
