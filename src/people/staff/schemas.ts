import { Type } from 'typebox'
import { permissionSlugs } from '../../core/permissions.ts'
import { Flag, Id, IsoTime, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'

/** Permissions in a request: slugs of the catalogue, never `*` (decision 30). */
export const PermissionList = Type.Array(OneOf(permissionSlugs), {
  maxItems: 100,
  examples: [['clients.view', 'tickets.reply']]
})

/** Permissions in a response: slugs, or only `*` for an admin (decision 31). */
export const ShownPermissions = Type.Array(OutputText('tickets.reply'))

export const StaffRole = OneOf(['admin', 'supporter'], 'supporter')

/** Until when a member of staff is away; null: they are not. Once it is past, they are back. */
export const AwayUntil = Nullable(IsoTime())

/** The fields of a staff member in every response. */
export const StaffSummary = Type.Object({
  id: Id(),
  first_name: OutputText('Grace'),
  last_name: OutputText('Hopper'),
  email: OutputText('grace@example.com'),
  role: StaffRole,
  is_active: Flag(),
  permissions: ShownPermissions,
  away_until: AwayUntil
})
