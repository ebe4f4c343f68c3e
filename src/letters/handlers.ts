import type { JobHandlers } from '../platform/jobs/jobs.ts'
import { deliverLetter, type Postman } from './deliver-letter.ts'
import { sweepExpired } from './sweep.ts'

/** What is done for each kind of job. */
export function jobHandlers(services: Postman): JobHandlers {
  const { db, clock, log } = services
  return {
    'deliver-letter': ({ letterId }, attempt) => deliverLetter(services, letterId, attempt),
    sweep: async () => log.info({ swept: await sweepExpired(db, clock.now()) }, 'Swept away what had expired')
  }
}
