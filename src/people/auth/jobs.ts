import type { JobHandlers } from '../../core/jobs.ts'
import type { Services } from '../../core/services.ts'
import { recordSignInFailures } from './sign-in-failures.ts'
import { warnOfAttempts } from './warn-of-attempts.ts'

/** The job handlers of logging in. */
export function authHandlers(services: Services): Pick<JobHandlers, 'warn-of-attempts' | 'record-sign-in-failures'> {
  return {
    'warn-of-attempts': ({ account }) => warnOfAttempts(services, account),
    'record-sign-in-failures': () => recordSignInFailures(services)
  }
}
