import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { listStaff } from '../administration.ts'
import { staffView } from '../member.ts'
import { StaffSummary } from '../schemas.ts'

const limits = { fallback: 1000, max: 1000 }

/** Lists all staff by id, in pages if requested (contract: POST /api/admin/staff/list; decision 26). */
export const listStaffMembers = endpoint({
  path: '/api/admin/staff/list',
  aliases: ['/api/admin/staff'],
  summary: 'List the staff',
  access: { anyOf: ['staff.view', 'staff.manage'] },
  onlyReads: true,
  body: Type.Object(pageFields(limits)),
  data: Type.Object({
    ...pagedFields,
    staff: Type.Array(StaffSummary)
  }),
  async handle({ body, services }) {
    const page = pageOf(body, limits)
    const { staff, total } = await listStaff(services.db, page)
    return {
      message: 'Staff',
      data: { ...paged(staff, total, page), staff: staff.map(staffView) }
    }
  }
})
