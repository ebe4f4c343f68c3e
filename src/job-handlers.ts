import { authHandlers } from './auth/handlers.ts'
import { moveDepartment, resumeMoves } from './departments/move-department.ts'
import { scrubErased } from './erasure/scrub-erased.ts'
import { letterHandlers } from './letters/handlers.ts'
import type { JobHandlers } from './platform/jobs/jobs.ts'
import { resetHandlers } from './reset/handlers.ts'
import type { Services } from './services.ts'
import { attachmentHandlers } from './tickets/attachment-handlers.ts'

/** What is done for each kind of job. */
export function jobHandlers(services: Services): JobHandlers {
  const letters = letterHandlers(services)
  return {
    ...letters,
    ...authHandlers(services),
    ...resetHandlers(services),
    ...attachmentHandlers(services),
    'move-department': ({ departmentId }) => moveDepartment(services, departmentId),
    async sweep(...job) {
      await letters.sweep(...job)
      await resumeMoves(services)
      await scrubErased(services)
    }
  }
}
