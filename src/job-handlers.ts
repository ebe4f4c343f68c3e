import { letterHandlers } from './letters/handlers.ts'
import type { JobHandlers } from './platform/jobs/jobs.ts'
import type { Services } from './services.ts'
import { attachmentHandlers } from './tickets/attachment-handlers.ts'

/** What is done for each kind of job. */
export function jobHandlers(services: Services): JobHandlers {
  return { ...letterHandlers(services), ...attachmentHandlers(services) }
}
