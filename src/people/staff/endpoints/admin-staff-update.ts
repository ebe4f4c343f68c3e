import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Flag, Id, Name, NewPassword } from '../../../kit/schemas.ts'
import { NoPassword, OwnDeactivation, OwnPassword, updateStaffMember } from '../administration.ts'
import { StaffNotFound, staffView } from '../member.ts'
import { StaffSummary } from '../schemas.ts'

/**
 * Changes a staff member; callers change their own password elsewhere; e-mail and role cannot be changed here (contract: POST
 * /api/admin/staff/update; decision 32).
 */
export const updateStaff = endpoint({
  path: '/api/admin/staff/update',
  aliases: ['/api/admin/staff/:id/update'],
  summary: 'Change, deactivate or reactivate a member of staff, or reset the password',
  access: 'admin',
  signedInOnly: true,
  about: { staff: ['id'] },
  body: Type.Object({
    id: Id(),
    first_name: Type.Optional(Name(100, 'Grace')),
    last_name: Type.Optional(Name(100, 'Hopper')),
    phone_number: Type.Optional(Name(30, '+14155550123')),
    is_active: Type.Optional(Flag()),
    password: Type.Optional(NewPassword())
  }),
  data: Type.Object({ staff: StaffSummary }),
  errors: [StaffNotFound, OwnDeactivation, NoPassword, OwnPassword, Forbidden],
  async handle({ body: { id, ...changes }, actor, caller, services }) {
    const member = await updateStaffMember(services, actor, caller, id, changes)
    return { message: 'Member of staff updated', data: { staff: staffView(member) } }
  }
})
