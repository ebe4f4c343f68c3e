import { queryClient } from '../../../app/api-client.ts'
import { apiQuery } from '../../../app/api-queries.ts'
import { currentMe } from '../../../app/me.ts'
import { isOnboardingDismissed } from './onboarding-steps.ts'

/** Whether `/desk` leads to the administration with its first steps: for admins, as long as the desk has no client. */
export async function shouldShowFirstSteps(): Promise<boolean> {
  if (!currentMe()?.isAdmin || isOnboardingDismissed()) return false
  const clients = await queryClient
    .ensureQueryData(apiQuery('/api/admin/clients/list', { limit: 1 }))
    .catch(() => undefined)
  return clients?.total === 0
}
