import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Email, Name, NewPassword } from '../../../kit/schemas.ts'
import { createSupporter, StaffEmailInUse } from '../administration.ts'
import { staffView } from '../member.ts'
import { PermissionList, StaffSummary } from '../schemas.ts'

const body = Type.Object({
  first_name: Name(100, 'Grace'),
  last_name: Name(100, 'Hopper'),
  email: Email(),
  password: NewPassword(),
  phone_number: Type.Optional(Name(30, '+14155550123')),
  permissions: Type.Optional(PermissionList)
})

const { id, ...others } = StaffSummary.properties

/** Creates an account for a supporter (contract: POST /api/admin/staff/create; decisions 9 and 30). */
export const createStaffMember = endpoint({
  path: '/api/admin/staff/create',
  aliases: [{ path: '/api/admin/staff', when: sent => Object.keys(body.properties).some(name => sent.has(name)) }],
  summary: 'Create a supporter',
  access: 'admin',
  signedInOnly: true,
  about: { staff: ['user_id'] },
  body,
  status: 201,
  data: Type.Object({ user_id: id, ...others }),
  errors: [StaffEmailInUse],
  async handle({ body, actor, caller, services }) {
    const { id, ...supporter } = staffView(await createSupporter(services, actor, caller, body))
    return { message: 'Supporter created', data: { user_id: id, ...supporter } }
  }
})
