import { Type } from 'typebox'
import { Flag, Id, OneOf, Shown } from '../kit/schemas.ts'
import { permissionSlugs } from '../permissions.ts'

/** Permissions as a caller sends them: slugs of the catalogue, never `*` (decision 30). */
export const PermissionList = Type.Array(OneOf(permissionSlugs), {
  maxItems: 100,
  examples: [['clients.view', 'tickets.reply']]
})

/** Permissions as they are shown: slugs, or `*` alone for an admin (decision 31). */
export const ShownPermissions = Type.Array(Shown('tickets.reply'))

export const StaffRole = OneOf(['admin', 'supporter'], 'supporter')

/** Of a member of staff what every list and answer has. */
export const StaffSummary = Type.Object({
  id: Id(),
  first_name: Shown('Grace'),
  last_name: Shown('Hopper'),
  email: Shown('grace@example.com'),
  role: StaffRole,
  is_active: Flag(),
  permissions: ShownPermissions
})
