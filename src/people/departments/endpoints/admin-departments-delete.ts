import { Type } from 'typebox'
import { InUse } from '../../../core/definitions/uses.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import {
  DepartmentHasMembers,
  DepartmentHasTickets,
  deleteDepartment as removeDepartment,
  UnknownDestination
} from '../delete-department.ts'
import { DepartmentIsMoving, LastActiveDepartment } from '../department-lock.ts'
import { DepartmentNotFound } from '../managed-department.ts'

/**
 * Permanently deletes a department; its tickets and members move to `move_to_department_id` (a deptid). With more than 500 tickets,
 * `tickets_left` says how many are still to move: the department is inactive at once, `moving` in its detail shows the progress, and it is
 * deleted with the last of them. What shared views and other definitions use is not deleted.
 */
export const deleteDepartment = endpoint({
  path: '/api/admin/departments/delete',
  aliases: ['/api/admin/departments/:id/delete'],
  summary: 'Delete a department, moving its tickets to another one',
  access: { anyOf: ['departments.manage'] },
  about: 'caller',
  body: Type.Object({
    id: Id(),
    move_to_department_id: Type.Optional(Id(4)),
    expected_version: ExpectedVersion
  }),
  synonyms: { deptid: 'id', department_id: 'id' },
  data: Type.Object({
    deleted_id: Id(),
    tickets_moved: Type.Integer({ minimum: 0, examples: [12] }),
    tickets_left: Type.Optional(Type.Integer({ minimum: 1, examples: [30_000] }))
  }),
  errors: [
    DepartmentNotFound,
    LastActiveDepartment,
    UnknownDestination,
    DepartmentHasTickets,
    DepartmentHasMembers,
    DepartmentIsMoving,
    VersionConflict,
    InUse
  ],
  async handle({ body, actor, caller, services }) {
    const { id: deptid, move_to_department_id: moveTo, expected_version: expectedVersion } = body
    const { moved, left } = await removeDepartment(services, actor, caller, { deptid, moveTo, expectedVersion })
    const data = { deleted_id: deptid, tickets_moved: moved }
    if (left === 0) return { message: 'Department deleted', data }
    const message = `The department is out of use, and deleted once its ${left} tickets have moved`
    return { message, data: { ...data, tickets_left: left } }
  }
})
