import type { JobHandlers } from '../platform/jobs/jobs.ts'
import type { Services } from '../services.ts'
import { recordSignInFailures } from './sign-in-failures.ts'
import { warnOfGuesses } from './warn-of-guesses.ts'

/** What is done for the jobs of logging in. */
export function authHandlers(services: Services): Pick<JobHandlers, 'warn-of-guesses' | 'record-sign-in-failures'> {
  return {
    'warn-of-guesses': ({ account }) => warnOfGuesses(services, account),
    'record-sign-in-failures': () => recordSignInFailures(services)
  }
}
