import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Permission } from '../../core/permissions.ts'
import type { StaffRow } from '../../core/tables/staff.ts'
import { failure } from '../../kit/errors.ts'
import { bit } from '../../lib/bit.ts'

export const StaffNotFound = failure(404, 'staff_not_found', 'There is no such member of staff')

/** A staff member with their grants; an admin has none, and may do everything. */
export interface StaffMember
  extends Pick<
    StaffRow,
    'id' | 'first_name' | 'last_name' | 'email' | 'phone_number' | 'role' | 'is_active' | 'away_until'
  > {
  permissions: Permission[]
}

/** The columns of a `StaffMember` except the permissions, for which see `grantedSlugs`. */
export const memberColumns = [
  'staff.id',
  'staff.first_name',
  'staff.last_name',
  'staff.email',
  'staff.phone_number',
  'staff.role',
  'staff.is_active',
  'staff.away_until'
] as const

/** A column for queries on `staff`: the permissions of the row's member, in the order in which they were granted. */
export const grantedSlugs: RawBuilder<Permission[]> = sql`array(
  select permission_slug from staff_permissions where staff_permissions.staff_id = staff.id order by staff_permissions.id)`

/** The member of staff with that id. Throws `StaffNotFound`. */
export async function staffMember(db: Db, id: number): Promise<StaffMember> {
  const [member] = await memberById(db, { id })
  if (!member) throw StaffNotFound()
  return member
}

/** The member as in the contract; the endpoint's schema selects the fields. */
export function staffView(member: StaffMember) {
  return {
    ...member,
    is_active: bit(member.is_active),
    permissions: shownPermissions(member),
    away_until: member.away_until?.toISOString() ?? null
  }
}

/** The granted slugs; `*` for an admin (contract: Roles). */
export function shownPermissions({ role, permissions }: Pick<StaffMember, 'role' | 'permissions'>): string[] {
  return role === 'admin' ? ['*'] : [...permissions]
}

const memberById = prepared((db, p: { id: number }) =>
  db.selectFrom('staff').where('staff.id', '=', p.id).select(memberColumns).select(grantedSlugs.as('permissions'))
)
