import type { BodyOf, DataOf } from '@deskline/client'
import { nameOf } from '../lib/person-name.ts'
import { createStore, useStore } from '../lib/store.ts'

/** The permissions of staff, in the order of the contract. */
export const permissions = [
  'clients.view',
  'clients.create',
  'clients.edit',
  'clients.delete',
  'tickets.view_all',
  'tickets.reply',
  'tickets.edit_status',
  'tickets.delete',
  'departments.view',
  'departments.manage',
  'staff.view',
  'staff.manage'
] as const satisfies readonly Permission[]

export type Permission = NonNullable<BodyOf<'/api/admin/staff/create'>['permissions']>[number]

export type Profile = DataOf<'/api/account/profile'>['profile']

/** The signed-in person. */
export interface Me {
  id: number
  name: string
  firstName: string
  email: string
  kind: 'client' | 'staff'
  isAdmin: boolean
  permissions: ReadonlySet<Permission>
  /** Admins have all permissions. */
  can: (permission: Permission) => boolean
  /** Until then staff have no access to anything else. */
  mustEnable2fa: boolean
  profile: Profile
}

const me = createStore<Me | undefined>(undefined)

/** The signed-in person. Pages behind the sign-in always have one. */
export function useMe(): Me {
  const current = useMaybeMe()
  if (!current) throw new Error('Nobody is signed in')
  return current
}

export function useMaybeMe(): Me | undefined {
  return useStore(me)
}

export function currentMe(): Me | undefined {
  return me.get()
}

/** Whether the signed-in person has this permission. */
export function can(permission: Permission): boolean {
  return me.get()?.can(permission) ?? false
}

export function setMe(profile: Profile | undefined): void {
  me.set(profile && meOf(profile))
}

function meOf(profile: Profile): Me {
  const isStaff = profile.user_type === 'staff'
  const isAdmin = isStaff && profile.role === 'admin'
  const granted = new Set((isStaff ? profile.permissions : []) as Permission[])
  return {
    id: profile.id,
    name: nameOf(profile),
    firstName: profile.first_name,
    email: profile.email,
    kind: profile.user_type,
    isAdmin,
    permissions: granted,
    can: permission => isAdmin || granted.has(permission),
    mustEnable2fa: isStaff && profile.must_enable_2fa === 1,
    profile
  }
}
