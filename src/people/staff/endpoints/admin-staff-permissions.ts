import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { AdminHasAllPermissions, replacePermissions } from '../grants.ts'
import { StaffNotFound, shownPermissions } from '../member.ts'
import { PermissionList, ShownPermissions, StaffRole } from '../schemas.ts'

/** Replaces the permissions of a supporter (contract: POST /api/admin/staff/permissions, where `user_id` is a text). */
export const setStaffPermissions = endpoint({
  path: '/api/admin/staff/permissions',
  aliases: ['/api/admin/staff/:id/permissions'],
  summary: 'Replace the permissions of a supporter',
  access: 'admin',
  signedInOnly: true,
  about: { staff: ['id'] },
  body: Type.Object({ id: Id(), permissions: PermissionList }),
  data: Type.Object({
    user_id: OutputText('7'),
    email: OutputText('grace@example.com'),
    role: StaffRole,
    permissions: ShownPermissions
  }),
  errors: [StaffNotFound, AdminHasAllPermissions],
  async handle({ body, actor, caller, services }) {
    const supporter = await replacePermissions(services, actor, caller, body.id, body.permissions)
    const { id, first_name, last_name, email, role } = supporter
    return {
      message: `Permissions of ${first_name} ${last_name} updated`,
      data: { user_id: String(id), email, role, permissions: shownPermissions(supporter) }
    }
  }
})
