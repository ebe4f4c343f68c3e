import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id, Nullable, OutputText } from '../../../kit/schemas.ts'
import { StaffNotFound, staffMember, staffView } from '../member.ts'
import { ShownPermissions, StaffRole } from '../schemas.ts'

/** One member of staff (contract: POST /api/admin/staff/detail). */
export const showStaffMember = endpoint({
  path: '/api/admin/staff/detail',
  aliases: ['/api/admin/staff/:id', '/api/admin/staff/:id/detail'],
  summary: 'Show a member of staff',
  access: { anyOf: ['staff.view'] },
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  data: Type.Object({
    staff: Type.Object({
      id: Id(),
      first_name: OutputText('Grace'),
      last_name: OutputText('Hopper'),
      email: OutputText('grace@example.com'),
      phone_number: Nullable(OutputText('+14155550123')),
      role: StaffRole,
      is_active: Flag(),
      permissions: ShownPermissions
    })
  }),
  errors: [StaffNotFound],
  async handle({ body, services }) {
    return { message: 'Member of staff', data: { staff: staffView(await staffMember(services.db, body.id)) } }
  }
})
