import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { localSetting, setLocalSetting, useLocalSetting } from '../../../lib/local-setting.ts'

/** The admin that an empty installation begins with; the password is published. */
const firstAdmin = 'admin@example.com'
/** How many steps there are. */
export const stepCount = 6
const storageKey = 'deskline:first-steps'

export interface OnboardingSteps {
  hasOwnPassword: boolean
  /** The zone of the desk, once it is not UTC any more or the admin’s own is UTC. */
  zone: string | undefined
  departments: string[]
  hasCustomer: boolean
  hasSupporter: boolean
  /** The first address of the desk, and whether e-mail has come in. */
  address: string | undefined
  hasMail: boolean
  done: number
}

/** How far a new desk is; undefined until it is known, and for everybody but admins. */
export function useOnboardingSteps(): OnboardingSteps | undefined {
  const me = useMe()
  const enabled = me.isAdmin
  const isFirstAdmin = me.email.toLowerCase() === firstAdmin
  const changes = useApiQuery(
    '/api/admin/audit/list',
    { action: 'password.changed', actor_type: 'staff', actor_id: me.id, limit: 1 },
    { enabled: enabled && isFirstAdmin }
  )
  const departments = useApiQuery('/api/departments', {}, { enabled })
  const clients = useApiQuery('/api/admin/clients/list', { limit: 1 }, { enabled })
  const staff = useApiQuery('/api/admin/staff/list', {}, { enabled })
  const settings = useApiQuery('/api/admin/settings/detail', {}, { enabled })
  const mail = useApiQuery('/api/admin/mail/mailboxes/list', {}, { enabled })
  if (
    !departments.data ||
    !clients.data ||
    !staff.data ||
    !settings.data ||
    !mail.data ||
    (isFirstAdmin && !changes.data)
  )
    return undefined

  const steps = {
    hasOwnPassword: !isFirstAdmin || changes.data!.total > 0,
    zone: chosenZone(settings.data.settings.time_zone),
    departments: departments.data.departments.map(({ name }) => name),
    hasCustomer: clients.data.total > 0,
    hasSupporter: staff.data.staff.some(({ role }) => role === 'supporter'),
    address: Object.keys(settings.data.settings.mail_addresses)[0],
    hasMail: mail.data.ways.some(({ last_mail_at }) => last_mail_at !== null)
  }
  const done = [
    steps.hasOwnPassword,
    steps.zone !== undefined,
    steps.departments.length > 0,
    steps.hasCustomer,
    steps.hasSupporter
  ]
  done.push(steps.address !== undefined && steps.hasMail)
  return { ...steps, done: done.filter(Boolean).length }
}

function chosenZone(zone: string): string | undefined {
  return zone !== 'UTC' || ownZone() === 'UTC' ? zone : undefined
}

/** The time zone of this browser. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Whether an admin has closed the page of the first steps in this browser. */
export function useOnboardingDismissed(): boolean {
  return useLocalSetting(storageKey) === 'closed'
}

export function isOnboardingDismissed(): boolean {
  return localSetting(storageKey) === 'closed'
}

export function dismissOnboarding(): void {
  setLocalSetting(storageKey, 'closed')
}
