import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { ManagedDepartmentView, managedDepartments, managedDepartmentView } from '../managed-department.ts'

const limits = { fallback: 100, max: 1000 }

/** Lists all departments, inactive ones too; staff limited to some departments see those. */
export const listManagedDepartments = endpoint({
  path: '/api/admin/departments/list',
  aliases: ['/api/admin/departments'],
  summary: 'List all departments with their ticket counts',
  access: { anyOf: ['departments.view', 'departments.manage'] },
  onlyReads: true,
  body: Type.Object(pageFields(limits)),
  data: Type.Object({
    ...pagedFields,
    departments: Type.Array(ManagedDepartmentView)
  }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const all = await managedDepartments(services.db, actor)
    const departments = all.slice(page.offset, page.offset + page.limit).map(managedDepartmentView)
    return { message: 'Departments', data: { ...paged(departments, all.length, page), departments } }
  }
})
