import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Id } from '../../kit/fields.ts'
import { ExpectedVersion, VersionConflict } from '../../kit/versions.ts'
import {
  DepartmentHasMembers,
  DepartmentHasTickets,
  deleteDepartment as removeDepartment,
  UnknownDestination
} from '../delete-department.ts'
import { DepartmentNotFound } from '../managed-department.ts'
import { LastActiveDepartment } from '../reorganise.ts'

/** Deletes a department for good; its tickets and members go where `move_to_department_id` says (a deptid). */
export const deleteDepartment = endpoint({
  path: '/api/admin/departments/delete',
  aliases: ['/api/admin/departments/:id/delete'],
  summary: 'Delete a department, moving its tickets to another one',
  access: { anyOf: ['departments.manage'] },
  body: Type.Object({
    id: Id(),
    move_to_department_id: Type.Optional(Id(4)),
    expected_version: ExpectedVersion
  }),
  synonyms: { deptid: 'id', department_id: 'id' },
  data: Type.Object({ deleted_id: Id(), tickets_moved: Type.Integer({ minimum: 0, examples: [12] }) }),
  errors: [
    DepartmentNotFound,
    LastActiveDepartment,
    UnknownDestination,
    DepartmentHasTickets,
    DepartmentHasMembers,
    VersionConflict
  ],
  async handle({ body, actor, caller, services }) {
    const { id: deptid, move_to_department_id: moveTo, expected_version: expectedVersion } = body
    const { moved } = await removeDepartment(services, actor, caller, { deptid, moveTo, expectedVersion })
    return { message: 'Department deleted', data: { deleted_id: deptid, tickets_moved: moved } }
  }
})
