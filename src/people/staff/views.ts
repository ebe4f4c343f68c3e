import { type Static, Type } from 'typebox'
import { Flag, Id, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { shownPermissions } from './member.ts'
import { ShownPermissions, StaffRole } from './schemas.ts'
import type { StaffAccount } from './staff-account.ts'

/** The user in the response of admin/auth/login. */
export const StaffUser = Type.Object({
  id: Id(),
  first_name: OutputText('Grace'),
  last_name: OutputText('Hopper'),
  email: OutputText('grace@example.com'),
  role: StaffRole,
  user_type: OneOf(['staff']),
  is_active: Flag(),
  permissions: ShownPermissions,
  phone_number: Nullable(OutputText('+14155550123')),
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
