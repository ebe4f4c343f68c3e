import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { PageLimit, PageNumber } from '../../kit/schemas.ts'
import { pageOf } from '../../lib/page.ts'
import { ManagedDepartmentView, managedDepartments, managedDepartmentView } from '../managed-department.ts'

const limits = { fallback: 100, max: 1000 }

/** All departments, those out of use too; whoever is limited to some sees those. */
export const listManagedDepartments = endpoint({
  path: '/api/admin/departments/list',
  aliases: ['/api/admin/departments'],
  summary: 'List all departments with the number of their tickets',
  access: { anyOf: ['departments.view', 'departments.manage'] },
  onlyReads: true,
  body: Type.Object({ page: Type.Optional(PageNumber(1)), limit: Type.Optional(PageLimit(limits)) }),
  data: Type.Object({
    count: Type.Integer(),
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    departments: Type.Array(ManagedDepartmentView)
  }),
  async handle({ body, actor, services }) {
    const { page, limit, offset } = pageOf(body, limits)
    const all = await managedDepartments(services.db, actor)
    const departments = all.slice(offset, offset + limit).map(managedDepartmentView)
    return { message: 'Departments', data: { count: departments.length, total: all.length, page, limit, departments } }
  }
})
