import { attachmentHandlers } from './attachments/jobs.ts'
import { authHandlers } from './auth/jobs.ts'
import { moveDepartment, resumeMoves } from './departments/move-department.ts'
import { scrubErased } from './erasure/scrub-erased.ts'
import type { JobHandlers } from './jobs.ts'
import { outboxJobs } from './outbox/jobs.ts'
import { resetHandlers } from './reset/jobs.ts'
import type { Services } from './services.ts'
import { sweepWebhooks } from './webhooks/sweep.ts'

/** What is done for each kind of job. */
export function jobHandlers(services: Services): JobHandlers {
  const emails = outboxJobs(services)
  return {
    ...emails,
    ...authHandlers(services),
    ...resetHandlers(services),
    ...attachmentHandlers(services),
    'move-department': ({ departmentId }) => moveDepartment(services, departmentId),
    async sweep(...job) {
      await emails.sweep(...job)
      await resumeMoves(services)
      await scrubErased(services)
      await sweepWebhooks(services)
    }
  }
}
