import { type Static, Type } from 'typebox'
import { Flag, Id, Nullable, OneOf, Shown } from '../kit/schemas.ts'
import { bit } from '../lib/views.ts'
import { shownPermissions } from './member.ts'
import { ShownPermissions, StaffRole } from './schemas.ts'
import type { StaffAccount } from './staff-account.ts'

/** The user in the response of admin/auth/login. */
export const StaffUser = Type.Object({
  id: Id(),
  first_name: Shown('Grace'),
  last_name: Shown('Hopper'),
  email: Shown('grace@example.com'),
  role: StaffRole,
  user_type: OneOf(['staff']),
  is_active: Flag(),
  permissions: ShownPermissions,
  phone_number: Nullable(Shown('+14155550123')),
  two_factor_enabled: Flag(0)
})

export function staffUserView(member: StaffAccount): Static<typeof StaffUser> {
  return {
    id: member.id,
    first_name: member.first_name,
    last_name: member.last_name,
    email: member.email,
    role: member.role,
    user_type: 'staff',
    is_active: bit(member.is_active),
    permissions: shownPermissions(member),
    phone_number: member.phone_number,
    two_factor_enabled: bit(member.two_factor_enabled)
  }
}
