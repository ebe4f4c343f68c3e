import type { JobHandlers } from '../../core/jobs.ts'
import type { Services } from '../../core/services.ts'
import { sendStaffResetLink } from './staff-reset.ts'

/** The job handlers of password resets. */
export function resetHandlers(services: Services): Pick<JobHandlers, 'staff-reset'> {
  return { 'staff-reset': request => sendStaffResetLink(services, request) }
}
