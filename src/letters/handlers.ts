import type { JobHandlers } from '../platform/jobs/jobs.ts'
import { deliverLetter, type Postman } from './deliver-letter.ts'
import { sweepExpired } from './sweep.ts'

/** What is done for the jobs of letters, and for the sweep of what has expired. */
export function letterHandlers(services: Postman): Pick<JobHandlers, 'deliver-letter' | 'sweep'> {
  const { db, clock, log } = services
  return {
    'deliver-letter': ({ letterId }, attempt) => deliverLetter(services, letterId, attempt),
    sweep: async () => log.info({ swept: await sweepExpired(db, clock.now()) }, 'Swept away what had expired')
  }
}
