import { queries } from '../../../app/desk.ts'
import { currentMe } from '../../../app/me.ts'
import { deskQuery } from '../../../app/queries.ts'
import { startClosed } from './first-steps.ts'

/** Where `/desk` leads: admins of a desk that nobody has written to yet begin with its first steps. */
export async function isFirstRun(): Promise<boolean> {
  if (!currentMe()?.isAdmin || startClosed()) return false
  const clients = await queries
    .ensureQueryData(deskQuery('/api/admin/clients/list', { limit: 1 }))
    .catch(() => undefined)
  return clients?.total === 0
}
