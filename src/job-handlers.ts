import { attachmentHandlers } from './attachments/jobs.ts'
import { authHandlers } from './auth/jobs.ts'
import { moveDepartment, resumeMoves } from './departments/move-department.ts'
import { scrubErased } from './erasure/scrub-erased.ts'
import { retireEvents } from './events/retire-events.ts'
import type { JobHandlers } from './jobs.ts'
import { secondsAfter } from './lib/time.ts'
import { sweepMails } from './mailbox/sweep-mails.ts'
import { outboxJobs } from './outbox/jobs.ts'
import { resetHandlers } from './reset/jobs.ts'
import { resumeRewrites, runRewrites } from './rewrites/run-rewrites.ts'
import type { Services } from './services.ts'
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
    'move-department': ({ departmentId }) => moveDepartment(services, departmentId),
    rewrite: () => runRewrites(services),
    async sweep(...job) {
      await emails.sweep(...job)
      await resumeMoves(services)
      await scrubErased(services)
      await resumeRewrites(services)
      await retireEvents(db, secondsAfter(clock.now(), -config.EVENT_RETENTION_DAYS * daySeconds))
      await sweepWebhooks(services)
      await sweepMails(services)
    }
  }
}
