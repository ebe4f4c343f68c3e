import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, Id, Name, Nullable, Text } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { updateDepartment as changeDepartment } from '../change-departments.ts'
import { DepartmentIsMoving, LastActiveDepartment } from '../department-lock.ts'
import { DepartmentNotFound, ManagedDepartmentView, managedDepartmentView } from '../managed-department.ts'

/** Changes the given fields; an inactive department keeps its tickets and takes no new ones. */
export const updateDepartment = endpoint({
  path: '/api/admin/departments/update',
  aliases: ['/api/admin/departments/:id/update'],
  summary: 'Update, deactivate or reactivate a department',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({
    id: Id(),
    name: Type.Optional(Name(100, 'Returns')),
    // Null empties it.
    description: Type.Optional(Nullable(Text(255, 'What comes back, and why'))),
    is_active: Type.Optional(Flag()),
    expected_version: ExpectedVersion
  }),
  synonyms: { deptid: 'id', department_id: 'id' },
  data: Type.Object({ department: ManagedDepartmentView }),
  errors: [DepartmentNotFound, LastActiveDepartment, DepartmentIsMoving, VersionConflict],
  async handle({ body: { id, ...changes }, actor, caller, services }) {
    const department = await changeDepartment(services, actor, caller, id, changes)
    return { message: 'Department updated', data: { department: managedDepartmentView(department) } }
  }
})
