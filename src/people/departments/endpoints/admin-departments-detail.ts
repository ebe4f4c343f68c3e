import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import {
  DepartmentNotFound,
  ManagedDepartmentView,
  managedDepartment,
  managedDepartmentView
} from '../managed-department.ts'

/** One department by its deptid (decision 11). */
export const showDepartment = endpoint({
  path: '/api/admin/departments/detail',
  aliases: ['/api/admin/departments/:id', '/api/admin/departments/:id/detail'],
  summary: 'Show a department with its ticket count',
  access: { anyOf: ['departments.view', 'departments.manage'] },
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  synonyms: { deptid: 'id', department_id: 'id' },
  data: Type.Object({ department: ManagedDepartmentView }),
  errors: [DepartmentNotFound],
  async handle({ body, actor, services }) {
    const department = await managedDepartment(services.db, actor, body.id)
    return { message: 'Department', data: { department: managedDepartmentView(department) } }
  }
})
