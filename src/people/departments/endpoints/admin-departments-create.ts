import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Flag, Id, Name, Text } from '../../../kit/schemas.ts'
import { DepartmentExists, createDepartment as openDepartment } from '../change-departments.ts'
import { ManagedDepartmentView, managedDepartmentView } from '../managed-department.ts'

/** Creates a department, by default under the next free deptid. */
export const createDepartment = endpoint({
  path: '/api/admin/departments/create',
  summary: 'Create a department',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({
    name: Name(100, 'Returns'),
    description: Type.Optional(Text(255, 'What comes back, and why')),
    deptid: Type.Optional(Id(7)),
    is_active: Type.Optional(Flag())
  }),
  synonyms: { department_id: 'deptid' },
  status: 201,
  data: Type.Object({ department: ManagedDepartmentView }),
  errors: [DepartmentExists, Forbidden],
  async handle({ body, actor, caller, services }) {
    const department = await openDepartment(services, actor, caller, body)
    return { message: 'Department created', data: { department: managedDepartmentView(department) } }
  }
})
