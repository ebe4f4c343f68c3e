import type { Reason } from '@deskline/client'
import { failureOf, failureText } from '../app/failures.ts'
import { type Key, t } from '../lib/strings.ts'

/** The messages of refusals, by reason. */
const reasonKeys: Partial<Record<Reason, Key>> = {
  version_conflict: 'admin.failed.changedMeanwhile',
  last_active_department: 'admin.failed.lastDepartment',
  department_is_moving: 'admin.failed.departmentMoving',
  department_has_tickets: 'admin.failed.departmentHasTickets',
  department_has_members: 'admin.failed.departmentHasMembers',
  unknown_destination: 'admin.failed.destinationGone',
  own_membership: 'admin.failed.ownMembership',
  beyond_own_departments: 'admin.failed.beyondOwnDepartments',
  tag_exists: 'admin.failed.tagExists',
  too_many_webhooks: 'admin.failed.tooManyWebhooks',
  webhook_off: 'admin.failed.webhookOff',
  admin_stays: 'admin.adminsStay'
}

/** The message of a failure in the administration. */
export function adminFailureText(error: unknown): string {
  const { reason, data } = failureOf(error) ?? {}
  if (reason === 'in_use') return t('admin.failed.inUse', { names: namesOf(data as { uses: { name: string }[] }) })
  const key = reasonKeys[reason as Reason]
  return key ? t(key) : failureText(error)
}

/** The definitions that use what was to be deleted. */
function namesOf({ uses }: { uses: { name: string }[] }): string {
  return [...new Set(uses.map(({ name }) => name))].join(', ')
}
